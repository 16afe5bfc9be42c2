"""The rule that import-linter's contracts (pyproject.toml) cannot express: only views, forms and
API import views, forms and API."""

import grimp
import pytest

from scripts.packages import APPS, PACKAGES

INTERFACES = ("views", "forms", "api", "admin", "urls")
ROUTING = ("config.urls", "config.api_router")


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph(*PACKAGES, cache_dir=None)


def app_of_interface(module: str) -> str:
    """Return the app to whose views, forms or API the module belongs, or ""."""
    app, _, rest = module.partition(".")
    return app if app in APPS and app != "core" and rest.partition(".")[0] in INTERFACES else ""


def test_only_views_forms_and_api_import_each_other(graph):
    """The contracts say in which direction."""
    foreign = [
        (importer, module)
        for module in graph.modules
        for importer in graph.find_modules_that_directly_import(module)
        if app_of_interface(module) and not app_of_interface(importer) and importer not in ROUTING
    ]
    assert foreign == []
