"""Shields, charges, people and their equipment, as SVG paths read from `shapes.toml`."""

import tomllib
from pathlib import Path

_SHAPES = tomllib.loads(Path(__file__).with_name("shapes.toml").read_text(encoding="utf-8"))

SHIELD: str = _SHAPES["shield"]
FIELDS: dict[str, str] = _SHAPES["fields"]
CHARGES: dict[str, str] = _SHAPES["charges"]
BODIES: dict[str, str] = _SHAPES["bodies"]
HATS: dict[str, str] = _SHAPES["hats"]
CARRIED: dict[str, str] = _SHAPES["carried"]
