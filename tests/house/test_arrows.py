"""What import-linter's contracts (pyproject.toml) cannot say: no room touches the face of another."""

import grimp
import pytest

from scripts.packages import APPS, PACKAGES

FACES = ("views", "forms", "api", "admin", "urls")
HOUSE = ("config.urls", "config.api_router")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def face_of(module: str) -> str:
    """The room whose face this module is a part of, or nothing."""
    room, _, rest = module.partition(".")
    return room if room in APPS and room != "core" and rest.partition(".")[0] in FACES else ""


def test_a_face_is_imported_by_its_own_room_and_the_house_alone(graph):
    foreign = [
        (importer, module)
        for module in graph.modules
        for importer in graph.find_modules_that_directly_import(module)
        if face_of(module) and face_of(importer) != face_of(module) and importer not in HOUSE
    ]
    assert foreign == []
