"""Check this container's web server: `python -m scripts.probe [URL]`.

The request names a host that the server accepts, which is not the address inside a container.
"""

import os
import sys
import urllib.error
import urllib.request

READY = "http://127.0.0.1:8000/health/ready"


def main(url: str = READY) -> int:
    """Return 0 if the response is 200, else 1."""
    request = urllib.request.Request(
        url, headers={"Host": host_name(os.environ.get("ALLOWED_HOSTS", ""))}
    )
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return 0 if answer.status == 200 else 1
    except urllib.error.URLError as error:
        print(error, file=sys.stderr)
        return 1


def host_name(allowed: str) -> str:
    """Return a host that `ALLOWED_HOSTS` allows: the first one, or localhost if all are allowed."""
    first = allowed.partition(",")[0].strip().removeprefix(".")
    return first if first not in {"", "*"} else "localhost"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
