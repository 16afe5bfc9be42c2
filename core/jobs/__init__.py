"""Long work that workers do for rows of any app: claims, what surrounds the work, its queue, and
the files it makes."""
