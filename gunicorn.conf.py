"""The settings with which gunicorn serves Muster, wherever it is started. GUNICORN_CMD_ARGS and
the command line override them."""

worker_class = "config.server.Worker"
# What requests need is loaded once, before the server listens, and shared by the processes.
preload_app = True
# A process runs Python in one thread at a time; the others wait for the database. With five or
# eight threads, each request took a tenth more processor time: every thread has a connection, for
# which PostgreSQL plans all statements again.
threads = 3
# A process whose event loop stands still for this many seconds is restarted.
timeout = 60
graceful_timeout = 30
# Longer than the proxy in front keeps a connection that is idle (Caddyfile): it never sends on one
# that closes.
keepalive = 75
worker_connections = 500
# Nothing asks for it, and two installations on a machine would share it.
control_socket_disable = True
