# syntax=docker/dockerfile:1

# The packages, checked against their hashes, in a virtual environment that the second stage copies.
FROM python:3.12-slim-trixie AS packages
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/venv
COPY requirements.lock .
RUN /opt/venv/bin/pip install --require-hashes -r requirements.lock

# The manual, built with packages that a running Muster does not need.
FROM python:3.12-slim-trixie AS manual
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
COPY requirements-manual.lock .
RUN pip install --require-hashes -r requirements-manual.lock
COPY manual /manual
RUN cd /manual && python -m mkdocs build --strict --site-dir /site

FROM python:3.12-slim-trixie
# pg_dump must not be older than the server of docker-compose.yml; this Debian has the same 17.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      fontconfig fonts-dejavu-core libharfbuzz-subset0 libpango-1.0-0 libpangoft2-1.0-0 \
      postgresql-client-17 \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --home-dir /srv/muster --shell /usr/sbin/nologin muster \
 && install -d -o muster -g muster /srv/var /srv/var/files \
 && install -d -m 700 -o muster -g muster /srv/backups
COPY --from=packages /opt/venv /opt/venv
WORKDIR /srv/muster
COPY . .
COPY --from=manual /site static/manual
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    MUSTER_MODE=server \
    VAR_DIR=/srv/var \
    STATIC_ROOT=/srv/static \
    XDG_CACHE_HOME=/tmp \
    GUNICORN_CMD_ARGS="--workers 2 --worker-tmp-dir /dev/shm"
# The settings want to know these, collecting static files does not use them, and they stay in this line.
RUN SECRET_KEY=not-used-for-collecting-static-files-0123456789 ALLOWED_HOSTS=none DATABASE_URL=postgres://none/none \
    CELERY_BROKER_URL=redis://none CACHE_URL=redis://none \
    python manage.py collectstatic --no-input --verbosity 0
USER muster
VOLUME /srv/var
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=6s --start-period=20s --retries=4 CMD ["python", "-m", "scripts.probe"]
CMD ["gunicorn", "config.wsgi", "--bind", "0.0.0.0:8000"]
