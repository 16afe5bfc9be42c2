"""Long jobs that workers do for rows of any app: claims, running a job, the queue, and files."""
