"""GitHub and pre-commit run the same checks as developers."""

import json
from pathlib import Path

import yaml

ROOT = Path(__file__).parents[2]


def test_workflow_runs_make_test() -> None:
    workflow = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text())
    commands = [step["run"] for step in workflow["jobs"]["test"]["steps"] if "run" in step]
    assert len(commands) == 1 and commands[0].endswith("make test")
    assert "exec make test" in (ROOT / ".ci/run").read_text()


def test_pre_commit_runs_the_tools_of_make_check() -> None:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    entries = [hook["entry"] for repo in config["repos"] for hook in repo["hooks"]]
    tools = ["ruff", "ruff", "djlint", "python", "lint-imports"]
    assert [entry.split()[0] for entry in entries] == [f".venv/bin/{tool}" for tool in tools]


def test_dev_container_installs_what_developers_need() -> None:
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text())
    assert container["postCreateCommand"] == "make setup"
