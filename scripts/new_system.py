"""`make new-system NAME=night_raid`: create a rule system from the skeleton, and register it.

``scripts/skeleton/`` is a small rule system that works. This copies it to
``rulebook/systems/<name>/`` with key, class names and title filled in. docs/rulesets.md explains
the next steps.
"""

import argparse
import keyword
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SKELETON = ROOT / "scripts" / "skeleton"
NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
TITLE = re.compile(r"[^\"'\\{}\n]{1,60}")
"""The characters that are allowed in strings of Python and TOML, and in sentences with braces."""
ENTRY = re.compile(r"^    (\w+)\.key: \{\1\.edition: \1\(\)\},$", re.MULTILINE)
"""A rule system in the registry."""
KEY_OR_NAME = re.compile(r'^    (key|name) = "([^"]+)"$', re.MULTILINE)


class RefusedName(ValueError):
    """The name cannot be used. The text says why, and what to do instead."""


def main(arguments: Sequence[str]) -> int:
    """Return 0 if the rule system was created, or 1 if its name was refused.

    Nothing is written in the second case.
    """
    parser = argparse.ArgumentParser(prog="make new-system", description=__doc__)
    parser.add_argument(
        "name", help="of its folder, such as night_raid; its key is night-raid then"
    )
    parser.add_argument(
        "--title", default="", help="what people call it (default: made of the name)"
    )
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    try:
        folder = create_system(options.name, title=options.title, root=options.root)
    except RefusedName as error:
        print(error, file=sys.stderr)
        return 1
    print(next_steps(folder.name, title_of(options.name, options.title)))
    return 0


def create_system(name: str, *, title: str = "", root: Path = ROOT) -> Path:
    """Create a rule system below ``root`` and return its folder.

    Raises RefusedName without writing anything.
    """
    title = title_of(name, title)
    check_name(name, title, root)
    registry = root / "rulebook" / "registry.py"
    # Prepare everything before writing anything: a registry that cannot be read must not leave a
    # folder behind.
    files = system_files(name, title)
    entered = with_entry(registry.read_text(encoding="utf-8"), name)
    folder = root / "rulebook" / "systems" / name
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    registry.write_text(entered, encoding="utf-8")
    format_code(folder, registry)
    return folder


def title_of(name: str, title: str = "") -> str:
    """Return the title of the rule system: "Night Raid" for night_raid, unless a title is given."""
    return title.strip() or " ".join(part.capitalize() for part in name.split("_"))


def class_of(name: str) -> str:
    """Return the name of its class: "NightRaid" for night_raid."""
    return "".join(part.capitalize() for part in name.split("_"))


def key_of(name: str) -> str:
    """Return the key for addresses and rows: "night-raid" for night_raid."""
    return name.replace("_", "-")


def check_name(name: str, title: str, root: Path) -> None:
    """Raise RefusedName for an invalid name or title, or one that is taken."""
    if not NAME.fullmatch(name) or keyword.iskeyword(name):
        raise RefusedName(
            f"“{name}” is not a name for a rule system. Use lower-case letters, digits and "
            "underscores, begin with a "
            "letter, and use no word of Python's own. Example: night_raid."
        )
    if not TITLE.fullmatch(title):
        raise RefusedName(
            f"“{title}” is not a title. Use up to 60 characters, without quotation marks and "
            "braces."
        )
    systems = root / "rulebook" / "systems"
    if (systems / name).exists():
        raise RefusedName(
            f"“{name}” is taken: rulebook/systems/{name} exists. Choose another name."
        )
    for path in sorted(systems.glob("*/system.py")):
        taken = {
            what: value.lower()
            for what, value in KEY_OR_NAME.findall(path.read_text(encoding="utf-8"))
        }
        if taken.get("key") == key_of(name):
            raise RefusedName(
                f"“{name}” is taken: rulebook/systems/{path.parent.name} has its key. Choose "
                "another."
            )
        if taken.get("name") == title.lower():
            raise RefusedName(
                f"“{title}” is taken: rulebook/systems/{path.parent.name} is called so. Give a "
                "TITLE."
            )
    # The class is defined next to the imports of the skeleton and the registry: a second `Points`
    # would break both.
    sources = [*SKELETON.glob("*.py"), root / "rulebook" / "registry.py"]
    if any(
        re.search(rf"\b{class_of(name)}\b", path.read_text(encoding="utf-8")) for path in sources
    ):
        raise RefusedName(
            f"“{name}” is taken: the rule book has a name {class_of(name)} already. Choose another."
        )


def system_files(name: str, title: str) -> Mapping[str, str]:
    """Return the files of the skeleton by path, with key, class names and title filled in."""
    filled_in = (
        ("scripts.skeleton", f"rulebook.systems.{name}"),
        ("Skeleton Game", title),
        ('"skeleton"', f'"{key_of(name)}"'),
        ("Skeleton", class_of(name)),
    )
    files = {}
    for path in sorted(each for suffix in ("py", "toml") for each in SKELETON.rglob(f"*.{suffix}")):
        text = path.read_text(encoding="utf-8")
        for placeholder, value in filled_in:
            text = text.replace(placeholder, value)
        files[path.relative_to(SKELETON).as_posix()] = text
    return files


def with_entry(registry: str, name: str) -> str:
    """Return the registry with the rule system as its last one.

    Raises RefusedName if the registry has no place for it.
    """
    entries, system = [*ENTRY.finditer(registry)], class_of(name)
    if not entries:
        raise RefusedName(
            "rulebook/registry.py does not look as expected: there is no entry of a rule system."
        )
    end = entries[-1].end()
    added = f"{registry[:end]}\n    {system}.key: {{{system}.edition: {system}()}},{registry[end:]}"
    first = added.index("from rulebook.systems.")
    return f"{added[:first]}from rulebook.systems.{name}.system import {system}\n{added[first:]}"


def format_code(*paths: Path) -> None:
    """Sort imports and format the code: the length of the names changes both."""
    ruff, settings = (
        (sys.executable, "-m", "ruff"),
        ("--quiet", "--config", str(ROOT / "pyproject.toml")),
    )
    for command in (("check", "--select", "I", "--fix"), ("format",)):
        subprocess.run([*ruff, *command, *settings, *map(str, paths)], check=True)


def next_steps(name: str, title: str) -> str:
    """Return a text that says what to do next."""
    return f"""Created rulebook/systems/{name}/, and its entry in rulebook/registry.py.

{title} works already: a small game of blows, with points and a house rule. Next:
  1. Look at it: make run, then create a warband of {title}.
  2. Put your figures, names and sentences into rulebook/systems/{name}/data/.
  3. Change the rules: battle.py (events, table, result) and system.py (builds, cards, rosters).
     docs/hooks.md lists every hook of a rule system.
  4. Test it as you go: .venv/bin/pytest -q tests/rulebook -k {key_of(name)}
  5. Before clubs play it: docs/rulesets/{key_of(name)}.md, tests of its own in tests/rulebook/{name}/,
     and a campaign in the demonstration. docs/rulesets.md says how."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
