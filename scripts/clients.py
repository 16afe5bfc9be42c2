"""Generate the Python and the TypeScript client of the API from the schema, into var/clients/.

Python: openapi-python-client. TypeScript: openapi-typescript for the types, and openapi-fetch with
the few functions in clients/typescript/src/index.ts. Node and npm are needed for TypeScript only.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "clients"
DEFAULT_FOLDER = ROOT / "var" / "clients"
OLDEST_NODE = 20
TOO_OLD_OR_MISSING = (
    "The TypeScript client needs Node 20 or newer with npm (https://nodejs.org/). "
    "Install it, or run `make clients ONLY=python`."
)


def make_python(schema: Path, folder: Path) -> Path:
    """Generate the Python client and return its package, ``muster_client``."""
    package = folder / "python"
    shutil.rmtree(package, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    options = ["--output-path", str(package), "--config", str(SOURCES / "python/settings.yaml")]
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(schema)]
    run([*command, *options], cwd=folder)
    return package / "muster_client"


def make_typescript(schema: Path, folder: Path) -> Path:
    """Generate and build the TypeScript client, and return its folder."""
    if shutil.which("npm") is None or node_version() < OLDEST_NODE:
        sys.exit(TOO_OLD_OR_MISSING)
    package = folder / "typescript"
    package.mkdir(parents=True, exist_ok=True)
    shutil.copytree(
        SOURCES / "typescript",
        package,
        dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("node_modules", "dist", "schema.*"),
    )
    shutil.copyfile(schema, package / "schema.json")
    # With the versions and hashes of package-lock.json, and without scripts of packages.
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=package)
    run(["npm", "run", "generate"], cwd=package)
    run(["npm", "run", "build"], cwd=package)
    return package


def node_version() -> int:
    """Return the major version of Node, or 0 if it is missing."""
    node = shutil.which("node")
    if node is None:
        return 0
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=False)
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdecimal() else 0


def run(command: list[str], cwd: Path) -> None:
    """Run a command. Exit with its output if it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-3000:]}{done.stderr[-3000:]}")


def write_schema(folder: Path) -> Path:
    """Write the schema of this version into the folder and return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "schema.json"
    command = [sys.executable, "manage.py", "spectacular", "--format", "openapi-json"]
    run([*command, "--file", str(file)], cwd=ROOT)
    return file


def main() -> None:
    """Write the schema and the clients, and print where they are."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=("python", "typescript"))
    parser.add_argument("--folder", type=Path, default=DEFAULT_FOLDER)
    arguments = parser.parse_args()
    folder = arguments.folder.resolve()
    schema = write_schema(folder)
    makers = {"python": make_python, "typescript": make_typescript}
    for name, make in makers.items():
        if arguments.only in (None, name):
            sys.stdout.write(f"{name}: {make(schema, folder)}\n")


if __name__ == "__main__":
    main()
