"""All settings of Muster, read from the environment (docs/variables.md lists the variables).

By default Muster runs **embedded**: SQLite, files, queue and secret key are under `var/`, and there
is nothing to install. `MUSTER_MODE=server` is for a club's server: it needs PostgreSQL and Redis,
and every secret and address must be set.
"""

from datetime import timedelta
from pathlib import Path
from typing import Any

from celery.schedules import crontab
from django_guid.integrations import CeleryIntegration

from config import environment as env
from config.environment import (
    bucket_options,
    kept_secret_key,
    kept_vapid_key,
    redis_address,
    var_folders,
)
from config.providers import settings_of, sign_in_providers

BASE_DIR = Path(__file__).resolve().parent.parent
MODE = env.choice("MUSTER_MODE", ("embedded", "server"), "embedded")
SERVER = MODE == "server"
DEBUG = env.flag("DEBUG", False)
VERSION = "1.0.0rc1"

VAR_DIR = env.folder("VAR_DIR", BASE_DIR / "var")
FILES_DIR = env.folder("FILES_DIR", VAR_DIR / "files")
BROKER_DIR = VAR_DIR / "broker"
STATIC_ROOT = env.folder("STATIC_ROOT", VAR_DIR / "static")
if not SERVER:
    var_folders(VAR_DIR, FILES_DIR, BROKER_DIR, STATIC_ROOT)

# Security of this server: keys, hosts and proxies
SECRET_KEY = (
    env.secret("SECRET_KEY") if SERVER else env.secret("SECRET_KEY", "") or kept_secret_key(VAR_DIR)
)
SECRET_KEY_FALLBACKS = env.names("SECRET_KEY_FALLBACKS", [])
ALLOWED_HOSTS = env.hosts(
    "ALLOWED_HOSTS", env.REQUIRED if SERVER else ["localhost", "127.0.0.1", "[::1]"]
)
CSRF_TRUSTED_ORIGINS = env.sites("CSRF_TRUSTED_ORIGINS")
# Scripts in pages of other sites may read the API and what is for other sites. Browsers send no
# cookie with such a request: it is anonymous, or has a token.
CORS_ALLOWED_ORIGINS = env.sites("CORS_ORIGINS")
CORS_URLS_REGEX = r"^/(api/v1/|campaigns/[^/]+/(standings\.json|standings\.csv|results\.atom)$)"
CORS_ALLOW_HEADERS = (
    "accept",
    "accept-language",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-match",
    "if-none-match",
)
CORS_EXPOSE_HEADERS = (
    "ETag",
    "Idempotency-Replayed",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
)
HTTPS = env.flag("HTTPS", SERVER and not DEBUG)
PROXIES = env.number("PROXIES", 0, at_most=10)

# The site's address in e-mails; pages take it from the request.
SITE_HOST = ALLOWED_HOSTS[0].lstrip(".*") if SERVER else "127.0.0.1:8000"
SECURITY_CONTACT = env.matching(
    "SECURITY_CONTACT", r"(mailto:|https://)\S+", "mailto:security@muster.example.org"
)
SITE_URL = env.site(
    "SITE_URL", f"http{'s' if HTTPS else ''}://{SITE_HOST}" if SITE_HOST else env.REQUIRED
)

INSTALLED_APPS = [
    "core",
    "audit",
    "warbands",
    "reference",
    "clubs",
    "campaigns",
    "battles",
    "leagues",
    "pictures",
    "documents",
    "home",
    "search",
    "exchange",
    "outbox",
    "accounts",
    "operations",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.humanize",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "core.static_files.StaticFiles",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "csp",
    "django_filters",
    "django_guid",
    "django_htmx",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "knox",
    "rest_framework",
]

# Sign in with an account elsewhere: none unless its two variables are set (config.providers).
PROVIDERS = sign_in_providers(
    google=(env.text("GOOGLE_CLIENT_ID", ""), env.secret("GOOGLE_CLIENT_SECRET", "")),
    discord=(env.text("DISCORD_CLIENT_ID", ""), env.secret("DISCORD_CLIENT_SECRET", "")),
    oidc=(env.text("OIDC_CLIENT_ID", ""), env.secret("OIDC_CLIENT_SECRET", "")),
    oidc_url=env.text("OIDC_URL", ""),
    oidc_name=env.text("OIDC_NAME", ""),
)
INSTALLED_APPS += [provider.app for provider in PROVIDERS]

# On a server, the proxy compresses responses and saves the web processes that work.
PACK_ANSWERS = env.flag("PACK_ANSWERS", not SERVER)
# Metrics for Prometheus: whoever has the token reads them at /metrics (core.metrics).
METRICS_TOKEN = env.secret("METRICS_TOKEN", "")
METRICS_DIR = VAR_DIR / "metrics"
MIDDLEWARE = [
    *(["core.metrics.Measured"] if METRICS_TOKEN else []),
    "django_guid.middleware.guid_middleware",
    "core.middleware.RequestLog",
    *(["corsheaders.middleware.CorsMiddleware"] if CORS_ALLOWED_ORIGINS else []),
    "core.middleware.PrivateByDefault",
    "core.middleware.RefusedRequests",
    "audit.origin.AuditOriginMiddleware",
    "core.middleware.WriteLimitMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    *(["core.middleware.PackedAnswers"] if PACK_ANSWERS else []),
    "core.middleware.ContentPolicy",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "core.middleware.Common",
    "accounts.sign_ins.SignIns",
    "django.middleware.csrf.CsrfViewMiddleware",
    "accounts.sessions.SessionAccounts",
    "home.middleware.MemberLocaleMiddleware",
    "home.middleware.InboxCountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "core.typed_text.TypedTextComesBack",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "home.context_processors.inbox_badge",
                "core.site_pages.chosen_theme",
            ],
            # Every form has a form key next to its CSRF token (docs/decisions/web.md).
            "builtins": ["core.templatetags.form_keys", "core.templatetags.rule_texts"],
        },
    }
]

# Data
# LOCK_SECONDS is the time to wait for a lock. 0 means no limit, or 20 seconds on SQLite. In web
# servers somebody waits for the answer and holds a thread meanwhile (config.wsgi).
LOCK_SECONDS = env.number("LOCK_SECONDS", 0, at_most=600)
WEB_LOCK_SECONDS = env.number("LOCK_SECONDS", 2, at_most=600)
# How many threads of a web process may write at a time. The others are kept for readers.
WRITERS = env.number("WRITERS", 2, at_least=1, at_most=1000)
DATABASE = env.database(
    "DATABASE_URL", env.REQUIRED if SERVER else f"sqlite:///{VAR_DIR}/muster.sqlite3"
)
ON_SQLITE = DATABASE["ENGINE"].endswith("sqlite3")
if ON_SQLITE:
    # Writers queue at BEGIN instead of failing half way; readers never wait (write-ahead log).
    DATABASE["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": LOCK_SECONDS or 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
# Behind PgBouncer, or another pooler in transaction mode, nothing may last longer than a
# transaction (docs/decisions/operations.md).
DATABASE_POOLER = env.flag("DATABASE_POOLER", False)


def on_postgres(database: dict[str, Any]) -> dict[str, Any]:
    """Return Django's settings of a PostgreSQL server with ours."""
    prepared = env.flag("DATABASE_PREPARED_STATEMENTS", not DATABASE_POOLER)
    # The timeouts limit the wait for an unreachable PostgreSQL; the system's defaults are minutes.
    options = {
        "connect_timeout": 3,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 20_000,
        **database["OPTIONS"],
        # A connection prepares a statement that it runs for the second time. PostgreSQL plans it
        # five times more, and then keeps a plan. Django turns this off because of poolers, and it
        # needs server-side binding.
        "server_side_binding": True,
        "prepare_threshold": 1 if prepared else None,
    }
    return {
        **database,
        # A new connection plans every statement again, up to ten times, before PostgreSQL keeps a
        # plan.
        "CONN_MAX_AGE": env.number("DATABASE_CONN_MAX_AGE", 600),
        "CONN_HEALTH_CHECKS": True,
        "DISABLE_SERVER_SIDE_CURSORS": DATABASE_POOLER,
        "OPTIONS": options,
    }


if not ON_SQLITE:
    DATABASE = on_postgres(DATABASE)
DATABASES = {"default": DATABASE}
# A server that follows the first one: pages are read from it (core.replica).
if env.secret("REPLICA_URL", ""):
    DATABASES["replica"] = on_postgres(env.database("REPLICA_URL", sqlite_too=False)) | {
        "TEST": {"MIRROR": "default"}
    }
    DATABASE_ROUTERS = ["core.replica.Router"]
    MIDDLEWARE.insert(
        MIDDLEWARE.index("core.middleware.WriteLimitMiddleware") + 1, "core.replica.ReadReplica"
    )

# The Redis password of cache and queue, if their addresses do not contain it.
REDIS_PASSWORD = env.secret("REDIS_PASSWORD", "")
CACHE_URL = redis_address(env.secret("CACHE_URL", env.REQUIRED if SERVER else ""), REDIS_PASSWORD)
CACHES: dict[str, dict[str, Any]]
if CACHE_URL:
    redis_cache = {"BACKEND": "core.redis_cache.TolerantRedisCache", "LOCATION": CACHE_URL}
    CACHES = {"default": redis_cache, "pages": {**redis_cache, "KEY_PREFIX": "pages"}}
else:
    # Copies of pages have their own cache: a full one forgets entries, and counters of wrong
    # passwords must not be among them.
    CACHES = {
        "default": {
            "BACKEND": "django.core.cache.backends.filebased.FileBasedCache",
            "LOCATION": VAR_DIR / "cache",
        },
        "pages": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "pages",
            "OPTIONS": {"MAX_ENTRIES": 500},
        },
    }

MEDIA_ROOT = FILES_DIR
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"] if (BASE_DIR / "static").is_dir() else []
WHITENOISE_USE_FINDERS = not SERVER
# Documents, pictures and archives: in FILES_DIR, or in a bucket. Health checks must not wait long.
S3_BUCKET = env.text("S3_BUCKET", "")
S3_OPTIONS = bucket_options(
    bucket=S3_BUCKET,
    endpoint=env.text("S3_ENDPOINT", ""),
    region=env.text("S3_REGION", ""),
    access_key=env.secret("S3_ACCESS_KEY", ""),
    secret_key=env.secret("S3_SECRET_KEY", ""),
    prefix=env.text("S3_PREFIX", ""),
)
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "core.file_stores.DiskStorage"},
    "health": {"BACKEND": "core.file_stores.DiskStorage"},
    "staticfiles": {"BACKEND": "core.bundles.BundlingStorage"},
}
if S3_BUCKET:
    STORAGES["default"] = {"BACKEND": "core.buckets.BucketStorage", "OPTIONS": S3_OPTIONS}
    STORAGES["health"] = {
        "BACKEND": "core.buckets.BucketStorage",
        "OPTIONS": {**S3_OPTIONS, "connect_seconds": 1, "read_seconds": 2},
    }
# Quotas: what each club keeps, and each member outside clubs. 0 is no limit.
CLUB_MAX_DOCUMENTS = env.number("CLUB_MAX_DOCUMENTS", 2000 if SERVER else 0)
CLUB_MAX_PICTURES = env.number("CLUB_MAX_PICTURES", 2000 if SERVER else 0)
CLUB_MAX_DISK_MB = env.number("CLUB_MAX_DISK_MB", 4000 if SERVER else 0)
MEMBER_MAX_DOCUMENTS = env.number("MEMBER_MAX_DOCUMENTS", 200 if SERVER else 0)
MEMBER_MAX_DISK_MB = env.number("MEMBER_MAX_DISK_MB", 500 if SERVER else 0)
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024 * 1024
ARCHIVE_LIMIT = env.number("ARCHIVE_LIMIT_MB", 200, at_least=1, at_most=10_000) * 1024 * 1024
# Photos of a battle are uploaded together: 12 files of 10 MB.
PHOTOS_LIMIT = 12 * 10 * 1024 * 1024
# Next to the data, where there is space: in containers, /tmp is in memory.
FILE_UPLOAD_TEMP_DIR = str(VAR_DIR)
FILE_UPLOAD_HANDLERS = [
    "pictures.uploads.LimitedUpload",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]

# Languages and times
LANGUAGE_CODE = "en-gb"
# For pages, e-mails and documents (docs/decisions/languages.md). The API and the admin use English.
LANGUAGES = [("en-gb", "English"), ("de", "Deutsch")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
TIME_ZONE = env.time_zone("TIME_ZONE", "UTC")
USE_I18N = True
USE_TZ = True

# Security
SESSION_ENGINE = "accounts.sessions"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "core.typed_text.csrf_failure"
SECURE_SSL_REDIRECT = HTTPS
SECURE_REDIRECT_EXEMPT = [r"^health/"]
SECURE_HSTS_SECONDS = env.number("HSTS_SECONDS", 3600 if HTTPS else 0)
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = False
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if PROXIES else None
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "worker-src": ["'self'"],
        "object-src": ["'none'"],
        "base-uri": ["'none'"],
        # Browsers also apply it to the redirects of a form: to where people sign in elsewhere.
        "form-action": ["'self'", *(provider.origin for provider in PROVIDERS)],
        "frame-ancestors": ["'none'"],
    }
}

# Accounts: Django's own user, signed in by name or e-mail address
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
SIGNUP_OPEN = env.flag("SIGNUP_OPEN", True)
ACCOUNT_ADAPTER = "accounts.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
ALLAUTH_TRUSTED_PROXY_COUNT = PROXIES
# E-mail addresses need no confirmation, and only confirmed ones are unique:
# docs/decisions/web.md
ACCOUNT_PREVENT_ENUMERATION = "strict"
# Subjects already name the sender. E-mails about changes: docs/decisions/web.md
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_EMAIL_NOTIFICATIONS = True
MFA_ADAPTER = "accounts.adapter.SecondFactors"
# Passkeys and security keys, bound to the site's host name.
PASSKEYS = env.flag("PASSKEYS", False)
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", *(["webauthn"] if PASSKEYS else [])]
MFA_PASSKEY_LOGIN_ENABLED = PASSKEYS
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = not HTTPS
MFA_TOTP_ISSUER = "Muster"
# Wrong passwords are counted for each account (accounts.throttle). These two limits would count
# correct ones too.
ACCOUNT_RATE_LIMITS = {"change_password": None, "reauthenticate": None}
# Forms that could be used to guess a password or code work only while guesses are counted.
ACCOUNT_FORMS = {
    "add_email": "accounts.mail.AddEmailForm",
    "change_password": "accounts.throttle.ChangePasswordForm",
}
MFA_FORMS = {
    "authenticate": "accounts.throttle.AuthenticateForm",
    "reauthenticate": "accounts.throttle.ReauthenticateForm",
}

# An account elsewhere never takes over an account here that has the same e-mail address: its owner
# signs in first and connects it.
SOCIALACCOUNT_ADAPTER = "accounts.adapter.AccountsElsewhere"
SOCIALACCOUNT_PROVIDERS = settings_of(PROVIDERS)
SOCIALACCOUNT_EMAIL_AUTHENTICATION = False
SOCIALACCOUNT_STORE_TOKENS = False

# E-mail (passwords and notifications): written to a folder unless a mail server is set
EMAIL_HOST = env.text("EMAIL_HOST", "")
EMAIL_PORT = env.number("EMAIL_PORT", 587, at_least=1, at_most=65535)
EMAIL_HOST_USER = env.text("EMAIL_USER", "")
EMAIL_HOST_PASSWORD = env.secret("EMAIL_PASSWORD", "")
EMAIL_USE_TLS = env.flag("EMAIL_TLS", True)
EMAIL_TIMEOUT = 10
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'filebased'}.EmailBackend"
EMAIL_FILE_PATH = VAR_DIR / "mail"
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env.text("EMAIL_FROM", "Muster <muster@localhost>")
ACCOUNT_EMAIL_VERIFICATION = "optional" if EMAIL_HOST else "none"

# Push notifications (docs/decisions/web.md)
VAPID_PRIVATE_KEY = env.secret("VAPID_PRIVATE_KEY", "") or (
    "" if SERVER else kept_vapid_key(VAR_DIR)
)
PUSH_SERVICES = env.names(
    "PUSH_SERVICES",
    [
        "fcm.googleapis.com",
        "*.push.services.mozilla.com",
        "*.notify.windows.com",
        "*.push.apple.com",
    ],
)

# Webhooks. These hosts may be at private addresses and without HTTPS, such as a bot on this server.
WEBHOOK_HOSTS = env.names("WEBHOOK_HOSTS", [])
# Commands in Discord, which sends them to /discord/interactions/ (docs/running.md).
DISCORD_PUBLIC_KEY = env.matching("DISCORD_PUBLIC_KEY", r"[0-9A-Fa-f]{64}", "64 hexadecimal digits")
DISCORD_APPLICATION_ID = env.text("DISCORD_APPLICATION_ID", "")
DISCORD_BOT_TOKEN = env.secret("DISCORD_BOT_TOKEN", "")
DISCORD_API = "https://discord.com/api/v10"

# The API: closed unless a view opens itself
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "core.api.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "core.api.negotiation.DeclaredTypes",
    "DEFAULT_PARSER_CLASSES": ["core.api.defaults.StorableJSON"],
    "DEFAULT_METADATA_CLASS": "core.api.defaults.NameAndMethods",
    "DEFAULT_PAGINATION_CLASS": "core.api.defaults.NumberedPages",
    "DEFAULT_FILTER_BACKENDS": ["core.api.strict_input.ExactFilters"],
    "DEFAULT_SCHEMA_CLASS": "core.api.schema.Described",
    "DEFAULT_THROTTLE_CLASSES": [
        "rest_framework.throttling.AnonRateThrottle",
        "rest_framework.throttling.UserRateThrottle",
        "rest_framework.throttling.ScopedRateThrottle",
    ],
    "DEFAULT_THROTTLE_RATES": {
        "anon": env.rate("THROTTLE_ANON", "120/minute"),
        "user": env.rate("THROTTLE_USER", "1200/minute"),
        "tokens": env.rate("THROTTLE_TOKENS", "20/minute"),
        "calendars": env.rate("THROTTLE_CALENDARS", "60/minute"),
        "pictures": env.rate("THROTTLE_PICTURES", "120/hour"),
        "archives": env.rate("THROTTLE_ARCHIVES", "20/hour"),
        "logs": env.rate("THROTTLE_LOGS", "600/minute"),
        "own-data": env.rate("THROTTLE_OWN_DATA", "6/hour"),
        "batches": env.rate("THROTTLE_BATCHES", "30/minute"),
    },
    "EXCEPTION_HANDLER": "core.api.problems.problem_response",
    "NUM_PROXIES": PROXIES,
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
    # There is only one renderer, and campaigns have a filter called "format".
    "URL_FORMAT_OVERRIDE": None,
}
REST_KNOX = {
    "TOKEN_TTL": timedelta(days=env.number("TOKEN_DAYS", 30, at_least=1, at_most=3650)),
    "TOKEN_LIMIT_PER_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Muster",
    "DESCRIPTION": "Campaign software for wargames clubs: rosters, battles, experience, rank-ups, "
    "printed campaigns.",
    "VERSION": VERSION,
    # The first version in which null is an ordinary type.
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "COMPONENT_SPLIT_REQUEST": True,
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
    # Names of enums that several endpoints use under the same field name: "kind", "state", ...
    "ENUM_NAME_OVERRIDES": {
        "BattleState": "battles.models.BattleState",
        "CampaignFormat": "campaigns.models.Format",
        "CampaignState": "campaigns.models.CampaignState",
        "ClubRole": "clubs.models.Role",
        "DeliveryState": "outbox.models.DeliveryState",
        "DocumentKind": "documents.models.DocumentKind",
        "DocumentState": "documents.models.DocumentState",
        "Language": "documents.models.Language",
        "Loan": "clubs.models.Loan",
        "Paper": "documents.models.Paper",
        "PictureKind": "pictures.models.PictureKind",
        "PostLanguage": "outbox.models.PostLanguage",
        "Visibility": "warbands.models.Visibility",
        "WebhookKind": "outbox.models.WebhookKind",
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "core.api.schema.describe_closed_sets",
        "reference.api.calculators.describe_calculators",
        "core.api.schema.describe_problems",
        "core.api.schema.describe_keys",
    ],
}

# Tasks: acknowledged late, redelivered when a worker dies, ended at the hard time limit
CELERY_BROKER_URL = redis_address(
    env.secret("CELERY_BROKER_URL", env.REQUIRED if SERVER else "files://localhost"), REDIS_PASSWORD
)
# Celery would prefer the environment's CELERY_BROKER_URL, without the password, to the setting.
CELERY_BROKER_READ_URL = CELERY_BROKER_WRITE_URL = CELERY_BROKER_URL
CELERY_TASK_DEFAULT_QUEUE = env.text("TASK_QUEUE", "muster")
CELERY_TASK_SOFT_TIME_LIMIT = env.number("TASK_TIME_LIMIT", 540, at_least=1, at_most=7200)
CELERY_TASK_TIME_LIMIT = CELERY_TASK_SOFT_TIME_LIMIT + max(5, CELERY_TASK_SOFT_TIME_LIMIT // 10)
# A running task must not be redelivered to a second worker (config.E004).
TASK_REDELIVERY = env.number(
    "TASK_REDELIVERY", 2 * CELERY_TASK_TIME_LIMIT, at_least=1, at_most=30000
)
CELERY_BROKER_TRANSPORT_OPTIONS: dict[str, Any] = (
    {"folder": str(BROKER_DIR)}
    if CELERY_BROKER_URL.startswith("files:")
    else {
        "visibility_timeout": TASK_REDELIVERY,
        # Look for tasks of dead workers every five seconds.
        "unacked_restore_interval": 5,
        "unacked_restore_throttle": 1,
        "socket_timeout": 5,
        "socket_connect_timeout": 5,
    }
)
# Commands to workers need a broker that can broadcast.
CELERY_WORKER_ENABLE_REMOTE_CONTROL = not CELERY_BROKER_URL.startswith("files:")
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# Retry forever: Celery's default of 100 attempts ends within an hour, and then the worker exits.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_TASK_PUBLISH_RETRY_POLICY = {"max_retries": 2, "interval_start": 0, "interval_step": 0.2}
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CONCURRENCY = env.number(
    "WORKER_CONCURRENCY", 2 if SERVER else 1, at_least=1, at_most=64
)
CELERY_WORKER_MAX_TASKS_PER_CHILD = 200
CELERY_WORKER_POOL = "config.pool:TaskPool"
# A worker that loses Redis finishes its task: killing it could lose an e-mail that is half sent.
# The message comes again later and has nothing left to do.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_TIMEZONE = TIME_ZONE
# How long the clock may sleep, and so how long it needs to stop.
CELERY_BEAT_MAX_LOOP_INTERVAL = 2
CELERY_BEAT_SCHEDULE_FILENAME = str(VAR_DIR / "beat-schedule")


def every_15_seconds(task: str) -> dict[str, Any]:
    """Return the clock's entry for a task whose next run makes up for a missed one."""
    return {"task": task, "schedule": timedelta(seconds=15), "options": {"expires": 15}}


CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "worker heartbeat": {
        "task": "operations.tasks.heartbeat",
        "schedule": timedelta(seconds=30),
        # A heartbeat that waited longer would be out of date.
        "options": {"expires": 30},
    },
    # Jobs of dead workers and lost messages: nobody waits for a full minute. A run that waited
    # behind a long task is dropped, and the next run does its work.
    "take documents over from dead workers": every_15_seconds("documents.tasks.take_over"),
    "send what the broker did not take": every_15_seconds("warbands.tasks.send_kept"),
    "send due and lost documents": every_15_seconds("documents.tasks.sweep"),
    "send lost follow-ups of battles again": every_15_seconds("battles.tasks.sweep"),
    "send changes to webhooks": every_15_seconds("outbox.tasks.relay_changes"),
    "take archives over from dead workers": every_15_seconds("exchange.tasks.take_over"),
    "send lost archives again": every_15_seconds("exchange.tasks.sweep"),
    "write the digests whose morning has come": {
        "task": "home.tasks.digests",
        "schedule": crontab(minute="*/15"),
    },
    "queue notifications again": {
        "task": "home.tasks.requeue_news",
        "schedule": crontab(minute="*/20"),
    },
    "add missing preferences": {
        "task": "home.tasks.add_missing_preferences",
        "schedule": crontab(hour=4, minute=30),
    },
    "sweep pictures of what is gone": {
        "task": "pictures.tasks.sweep",
        "schedule": crontab(hour=4, minute=40),
    },
    "delete archives whose time is over": {
        "task": "exchange.tasks.tidy",
        "schedule": crontab(hour=4, minute=55),
    },
    "sweep files of documents that are gone": {
        "task": "documents.tasks.tidy",
        "schedule": crontab(hour=4, minute=50),
    },
    "forget old deliveries of webhooks": {
        "task": "outbox.tasks.tidy",
        "schedule": crontab(hour=4, minute=45),
    },
    "forget old sessions and tokens": {
        "task": "operations.tasks.forget_expired",
        "schedule": crontab(hour=4, minute=10),
    },
}
WORKER_SILENCE_LIMIT = timedelta(seconds=100)

# Faults are reported to Sentry, or to what speaks its language, such as GlitchTip (core.faults).
SENTRY_DSN = env.secret("SENTRY_DSN", "")
SENTRY_ENVIRONMENT = env.text("SENTRY_ENVIRONMENT", "production" if SERVER else "development")

# Logs, with the request's id in every line, also in the tasks of the request
DJANGO_GUID = {
    "GUID_HEADER_NAME": "X-Request-ID",
    "VALIDATE_GUID": True,
    "EXPOSE_HEADER": False,
    "INTEGRATIONS": [CeleryIntegration(use_django_logging=True, log_parent=True)],
}
LOG_FORMAT = env.choice("LOG_FORMAT", ("json", "plain"), "json" if SERVER else "plain")
LOG_LEVEL = env.choice("LOG_LEVEL", ("DEBUG", "INFO", "WARNING", "ERROR"), "INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "request_id": {"()": "core.logs.RequestId"},
        "faults_only": {"()": "core.logs.FaultsOnly"},
        "no_heartbeat": {"()": "core.logs.NoHeartbeat"},
        "outage_on_one_line": {"()": "core.logs.OutageOnOneLine"},
    },
    "formatters": {"json": {"()": "core.logs.JsonLines"}, "plain": {"()": "core.logs.PlainLines"}},
    "handlers": {
        "stderr": {
            "class": "logging.StreamHandler",
            "formatter": LOG_FORMAT,
            "filters": ["request_id"],
        },
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "django": {"handlers": [], "level": LOG_LEVEL, "propagate": True},
        # The request log has one line per request, with its time.
        "django.server": {"handlers": [], "level": "ERROR", "propagate": True},
        "django.request": {"filters": ["faults_only"]},
        "django_guid": {"level": "ERROR"},
        "celery.app.trace": {"filters": ["no_heartbeat", "outage_on_one_line"]},
        "celery.worker.strategy": {"level": "WARNING"},
        "fontTools": {"level": "WARNING"},
        "weasyprint": {"level": "ERROR"},
        # It would log the number of waiting requests whenever there are any.
        "waitress.queue": {"level": "ERROR"},
    },
}
