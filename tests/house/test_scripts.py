"""The scripts behind the Makefile: what they find, start, stop and say."""

import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from scripts import processes, serve, services, setup, system
from scripts.stages import Stages
from tests.live import eventually

ROOT = Path(__file__).parents[2]
SLEEP = [sys.executable, "-c", "import time; print('here', flush=True); time.sleep(600)"]
DEAF = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); time.sleep(600)",
]


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_missing_library_is_named_with_its_package(monkeypatch):
    monkeypatch.setitem(
        system.NEEDS, "documents", [(system.LIBRARY, "libnowhere.so.0", "libnowhere0")]
    )
    assert system.missing("documents") == [("libnowhere.so.0", "libnowhere0")]


def test_libraries_and_programs_that_are_here_are_found():
    assert system.missing("documents") == []
    assert system.program("sh")


def test_the_newest_database_server_is_taken(monkeypatch, tmp_path):
    for version in ("9", "15", "16"):
        folder = tmp_path / version / "bin"
        folder.mkdir(parents=True)
        (folder / "initdb").touch(0o755)
    monkeypatch.setattr(system, "POSTGRES", tmp_path)
    assert system.program("initdb") == str(tmp_path / "16" / "bin" / "initdb")


def test_without_the_right_to_install_the_packages_are_named(monkeypatch):
    monkeypatch.setitem(
        system.NEEDS, "tests", [(system.PROGRAM, "no-such-program", "no-such-package")]
    )
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(system.Missing, match="no-such-package"):
        system.ensure("tests")


def test_setup_is_quick_when_the_lock_file_is_installed_already(monkeypatch, tmp_path):
    monkeypatch.setattr(setup, "VENV", tmp_path)
    lock = "requirements.lock"
    assert not setup.is_current(lock)
    (tmp_path / f"installed-from-{lock}").write_text(setup._hash(lock))
    assert setup.is_current(lock)


def test_failed_stage_is_printed_and_fails_the_run(capfd):
    stages = Stages()
    assert stages.run("good", "true")
    assert not stages.run("bad", "false")
    with pytest.raises(SystemExit) as left:
        stages.finish()
    assert left.value.code == 1
    assert "FAILED  bad" in capfd.readouterr().out


def test_when_every_stage_is_well_so_is_the_whole():
    stages = Stages()
    stages.run("good", "true")
    with pytest.raises(SystemExit) as left:
        stages.finish()
    assert left.value.code == 0


def test_a_stage_gets_its_environment():
    assert Stages().run("given", "sh", "-c", 'test "$GIVEN" = yes', environment={"GIVEN": "yes"})


def test_stage_next_to_others_is_shown_and_measured_apart(capfdbinary):
    stages = Stages()
    spin = (
        "import sys, time; end = time.process_time() + 0.2\nwhile time.process_time() < end: pass"
    )
    with stages.beside("waits", "sh", "-c", "echo waited; exit 3"):
        stages.run("computes", sys.executable, "-c", spin)
    assert stages.failed == ["waits"]
    used = {name: seconds for name, _, seconds, _ in stages.done}
    assert used["waits"] < 0.15 < used["computes"]
    lines = capfdbinary.readouterr().out.decode()
    assert lines.index("--- computes: done") < lines.index("waited") < lines.index("waits: FAILED")


def test_stage_next_to_others_stops_with_them():
    stages, started = Stages(), time.monotonic()
    with pytest.raises(KeyboardInterrupt), stages.beside("sleeps", *SLEEP):
        raise KeyboardInterrupt
    assert time.monotonic() - started < 20


def test_a_process_that_dies_while_we_wait_leaves_its_last_words(tmp_path):
    command = [sys.executable, "-c", "raise SystemExit('no powder')"]
    process = processes.Process("musket", command, log=tmp_path / "log")
    with pytest.raises(processes.NotStarted, match=r"(?s)musket ended with 1.*no powder"):
        processes.wait_for(lambda: False, process)


def test_waiting_has_an_end():
    with pytest.raises(processes.NotStarted, match="No answer"):
        processes.wait_for(lambda: False, seconds=0)


def test_a_stopped_process_is_gone(tmp_path):
    process = processes.Process("sleeper", SLEEP, log=tmp_path / "log")
    process.stop()
    assert process.exit_code == -signal.SIGTERM


def test_a_process_that_does_not_listen_is_killed(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "POLITE_SECONDS", 0.2)
    process = processes.Process("deaf", DEAF, log=tmp_path / "log")
    eventually((tmp_path / "log").read_text)
    process.stop()
    assert process.exit_code == -signal.SIGKILL


def test_a_free_port_is_free():
    assert not processes.answers(processes.free_port())


@pytest.mark.worker
def test_the_services_come_up_for_one_command_and_go_with_it():
    with services.services() as environment:
        folder = Path(environment["VAR_DIR"]).parent
        ports = [
            int(environment[name].split(":")[-1].split("/")[0])
            for name in ("DATABASE_URL", "CELERY_BROKER_URL")
        ]
        assert all(processes.answers(port) for port in ports)
    assert not any(processes.answers(port) for port in ports)
    assert not folder.exists()


@pytest.mark.worker
def test_services_that_are_asked_to_stop_leave_nothing_behind(tmp_path):
    command = [
        sys.executable,
        "-m",
        "scripts.services",
        "--",
        "sh",
        "-c",
        "echo $CELERY_BROKER_URL; sleep 600",
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout
        port = int(running.stdout.readline().rpartition(":")[2].partition("/")[0])
        assert processes.answers(port)
        running.terminate()
    assert running.returncode != 0
    assert not processes.answers(port)


@pytest.mark.worker
def test_muster_is_served_whole_and_stopped_whole(tmp_path):
    environment = {"VAR_DIR": str(tmp_path), "DATABASE_URL": "", "CELERY_BROKER_URL": ""}
    with serve.running_muster(environment=environment, logs=tmp_path) as muster:
        assert eventually(muster.is_healthy)
        static = f"{muster.url}/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css"
        with urllib.request.urlopen(static) as answer:
            assert answer.status == 200
        pids = [process._process.pid for process in muster.processes]
    assert not any(alive(pid) for pid in pids)
    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(muster.url)


@pytest.mark.worker
def test_when_the_worker_dies_the_server_goes_too(tmp_path):
    environment = {
        **os.environ,
        "VAR_DIR": str(tmp_path),
        "DATABASE_URL": "",
        "CELERY_BROKER_URL": "",
        "PORT": str(processes.free_port()),
    }
    command = [sys.executable, "-m", "scripts.serve"]
    with subprocess.Popen(
        command, env=environment, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as server:
        try:
            assert server.stdout
            read_until(server.stdout, b"Muster is at")
            worker = child_of(server.pid, "celery")
            os.kill(worker, signal.SIGKILL)
            assert server.wait(60) == 1
        finally:
            server.terminate()
    assert not processes.answers(int(environment["PORT"]))


def read_until(stream, words: bytes) -> None:
    for line in stream:
        if words in line:
            return
    pytest.fail(f"{words!r} was never said")


def child_of(parent: int, name: str) -> int:
    listed = subprocess.run(
        ["ps", "-o", "pid=,args=", "--ppid", str(parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    return next(int(line.split()[0]) for line in listed.stdout.splitlines() if name in line)
