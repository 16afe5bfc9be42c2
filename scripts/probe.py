"""Is the web server in this container well? `python -m scripts.probe
[http://127.0.0.1:8000/health/ready]`.

It asks under a name that the server listens to, which inside a container is not the address.
"""

import os
import sys
import urllib.error
import urllib.request

READY = "http://127.0.0.1:8000/health/ready"


def main(url: str = READY) -> int:
    """0 when the answer is 200, else 1."""
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
    """A host that `ALLOWED_HOSTS` allows: the first one, or any host where all are allowed."""
    first = allowed.partition(",")[0].strip().removeprefix(".")
    return first if first not in {"", "*"} else "localhost"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
