"""Run a load test: users of Locust, while processes are killed and PostgreSQL and Redis restart.

python -m tests.load.run --users 10 --seconds 40       prints what it found
"""

import argparse
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from scripts.processes import Process, stop_on_signals, wait_for
from scripts.serve import ROOT
from scripts.services import scratch_folder
from tests.load.installation import PATIENCE, Installation, installation, pause
from tests.load.ledger import ANSWER, DONE, FAULT, Ledger, read

KILLABLE = ("mortal web", "mortal worker", "beat")
RESTART_SECONDS = 3
"""As in deploy/systemd: a process that has ended is started again after this time."""
AWAY_SECONDS = 4
"""The time in seconds for which PostgreSQL and Redis are away."""
SETTLED_SECONDS = 20
"""The time after a restart in which answers may still say that the database is unavailable."""
OUTAGES = ("database_unavailable", "Back in a moment · Muster")
"""The code of the problem, and the title of the page."""
GROWTH = 1.2
"""The memory at the end, of what it was when the processes had warmed up."""
LONG_SECONDS = 300
"""A shorter test does not compare the memory: processes are not warm before two minutes."""
WARM_PART = 0.2
"""The part of the time after which processes have warmed up: two minutes of ten."""


@dataclass
class Findings:
    """The findings of a load test. It passes if there are no faults."""

    faults: list[str] = field(default_factory=list)
    answers: Counter[int] = field(default_factory=Counter)
    writes: Counter[str] = field(default_factory=Counter)
    memory: dict[str, tuple[float, float]] = field(default_factory=dict)
    """The memory of each steady process, warm and at the end, in megabytes."""
    kills: int = 0


def run_load(folder: Path, *, users: int, seconds: int, seed: int) -> Findings:
    """Run a load test with its files in the folder, and return what it found."""
    findings = Findings()
    file, world = folder / "ledger.jsonl", folder / "world.json"
    ledger = Ledger(file)
    with installation(folder) as site:
        tables, readers = max(1, round(users * 0.24)), max(1, round(users * 0.44))
        seeded = site.run("-m", "tests.load.seed", str(world), str(tables), str(readers))
        if seeded.returncode:
            findings.faults.append(f"The clubs could not be made:\n{seeded.stderr}")
            return findings
        site.start()
        crowd = locust(site, folder, users, seconds, seed)
        try:
            wait_for(lambda: any(read(file, ANSWER)), crowd, seconds=PATIENCE)
            trouble(site, ledger, findings, seconds=seconds, chance=Random(seed))
            wait_for(lambda: crowd.exit_code is not None, seconds=PATIENCE)
        finally:
            crowd.stop()
        proof = site.run("-m", "tests.load.proof", str(file))
        if proof.returncode:
            findings.faults += proof.stdout.splitlines() or [proof.stderr]
    judge(folder, file, findings, seconds)
    return findings


def locust(site: Installation, folder: Path, users: int, seconds: int, seed: int) -> Process:
    """Start Locust in its own process: importing it replaces the sockets of a process."""
    environment = {
        "LOAD_USERS": str(users),
        "LOAD_SEED": str(seed),
        "LOAD_WORLD": str(folder / "world.json"),
        "LOAD_LEDGER": str(folder / "ledger.jsonl"),
    }
    words = ["--headless", "--only-summary", "--host", site.url, "--run-time", f"{seconds}s"]
    words += ["--users", str(users), "--spawn-rate", "10", "--stop-timeout", "60"]
    words += ["--csv", str(folder / "locust"), "--exit-code-on-error", "0"]
    program = [sys.executable, "-m", "locust", "-f", "tests/load/locustfile.py", *words]
    return Process(
        "Locust", program, environment=environment, log=folder / "locust.log", folder=ROOT
    )


def trouble(
    site: Installation, ledger: Ledger, findings: Findings, *, seconds: int, chance: Random
) -> None:
    """Kill processes at random, restart both stores once, and measure the memory."""
    begun = time.monotonic()
    plan = sorted(plan_of(seconds, chance), key=lambda each: each[0])
    warm: dict[str, float] = {}
    for at, what in plan:
        pause(begun + at)
        ledger.note("trouble", what=what)
        match what:
            case "measure":
                warm = {name: site.programs[name].memory() for name in ("web", "worker")}
            case "PostgreSQL restarts":
                site.database.stop()
                time.sleep(AWAY_SECONDS)
                site.database.start()
            case "Redis restarts":
                site.redis.kill()
                time.sleep(AWAY_SECONDS)
                site.redis.start()
            case _:
                findings.kills += 1
                strike(site, what, chance)
        ledger.note("trouble", what=f"over: {what}")
    pause(begun + seconds - 1)
    for name, before in warm.items():
        findings.memory[name] = before, site.programs[name].memory()


def plan_of(seconds: int, chance: Random) -> list[tuple[float, str]]:
    """Return what happens after which seconds: about forty kills, whatever the length."""
    plan = [
        (WARM_PART * seconds, "measure"),
        (0.4 * seconds, "PostgreSQL restarts"),
        (0.6 * seconds, "Redis restarts"),
    ]
    kinds = [*KILLABLE, "a child of mortal web", "a child of mortal worker"]
    gap = max(6.0, seconds / 40)
    at = gap
    while at < 0.9 * seconds:
        plan.append((at, chance.choice(kinds)))
        at += chance.uniform(0.5 * gap, 1.5 * gap)
    return plan


def strike(site: Installation, what: str, chance: Random) -> None:
    """Kill one process, and start it again unless its parent does."""
    parent = what.removeprefix("a child of ")
    program = site.programs[parent]
    if parent != what:
        program.kill_child(chance.randrange(8))
        return
    program.kill()
    time.sleep(RESTART_SECONDS)
    program.start()


def judge(folder: Path, file: Path, findings: Findings, seconds: int) -> None:
    """Add what the ledger and the logs show."""
    findings.faults += [row["text"] for row in read(file, FAULT)]
    findings.answers.update(row["code"] for row in read(file, ANSWER))
    findings.writes.update(row["what"] for row in read(file, DONE))
    if not findings.answers[200] or not findings.writes:
        findings.faults.append("Hardly anything was answered: see locust.log.")
    findings.faults += late_outages(file)
    for name, (before, after) in findings.memory.items():
        if seconds >= LONG_SECONDS and after > GROWTH * before:
            grown = f"grew from {before:.0f} to {after:.0f} MB"
            findings.faults.append(f"The memory of the {name} {grown}.")
    # The clock logs one for each task that Redis does not take.
    for name in ("web", "mortal-web", "worker", "mortal-worker"):
        text = (folder / f"{name}.log").read_text(errors="replace")
        for part in text.split("Traceback (most recent call last)")[1:]:
            # Celery reports a killed child with one, and a finished task that it cannot acknowledge
            # while Redis is away. It gets that task again.
            if "WorkerLostError" not in part[:500] and "ack_log_error" not in part[:500]:
                findings.faults.append(f"{name}.log has a traceback: {part[:3000]}")


def late_outages(file: Path) -> list[str]:
    """Return a fault for each answer "unavailable" long after PostgreSQL was back."""
    backs = [
        row["at"] for row in read(file, "trouble") if row["what"] == "over: PostgreSQL restarts"
    ]
    end = backs[0] if backs else float("inf")
    late = [
        row
        for row in read(file, ANSWER)
        if row["problem"] in OUTAGES and row["at"] > end + SETTLED_SECONDS
    ]
    return [f"{len(late)} answers were “unavailable” long after the restart."] if late else []


def report(findings: Findings) -> str:
    """Return what was found as text."""
    lines = [
        f"Answers: {dict(sorted(findings.answers.items()))}",
        f"Writes: {dict(findings.writes)}",
        f"Memory in MB, warm and at the end: {findings.memory}",
        f"Kills: {findings.kills}",
    ]
    return "\n".join([*lines, *(f"FAULT: {fault}" for fault in findings.faults)])


def main() -> int:
    """Run one, print what it found, and return 1 if there was a fault."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--users", type=int, default=10)
    parser.add_argument("--seconds", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="copy the logs into this folder")
    chosen = parser.parse_args()
    stop_on_signals()
    with scratch_folder() as folder:
        findings = run_load(folder, users=chosen.users, seconds=chosen.seconds, seed=chosen.seed)
        if chosen.keep:
            chosen.keep.mkdir(parents=True, exist_ok=True)
            for each in [*folder.glob("*.log"), *folder.glob("*.json*"), *folder.glob("*.csv")]:
                (chosen.keep / each.name).write_bytes(each.read_bytes())
    sys.stdout.write(f"{report(findings)}\n")
    return 1 if findings.faults else 0


if __name__ == "__main__":
    sys.exit(main())
