"""The threads of a web server's process (`config.threads`)."""

import resource
import threading
from collections.abc import Callable

from config.threads import Threads, with_room_for_frames

SECONDS = 10


class Job:
    """A task that notes which thread did it."""

    def __init__(self, work: Callable[[], object] = lambda: None) -> None:
        self.work = work
        self.done = threading.Event()
        self.cancelled = False
        self.thread: int | None = None

    def service(self) -> None:
        self.thread = threading.get_ident()
        self.work()
        self.done.set()

    def cancel(self) -> None:
        self.cancelled = True


def idle(threads: Threads, number: int) -> None:
    """Wait until this number of threads is idle."""
    waited = threading.Event()
    for _ in range(1000):
        if len(threads._idle) == number:
            return
        waited.wait(SECONDS / 1000)
    raise AssertionError(f"{len(threads._idle)} threads are idle, not {number}.")


def test_requests_one_after_the_other_share_one_thread() -> None:
    threads, jobs = Threads(4), [Job() for _ in range(20)]
    # All four were busy at once before.
    gate = threading.Barrier(4)
    for _ in range(4):
        threads.add_task(Job(gate.wait))
    idle(threads, 4)
    for job in jobs:
        threads.add_task(job)
        assert job.done.wait(SECONDS)
        idle(threads, 4)
    assert len({job.thread for job in jobs}) == 1
    threads.shutdown(timeout=SECONDS)


def test_no_more_threads_than_allowed_and_nothing_is_lost() -> None:
    threads, gate, jobs = Threads(2), threading.Event(), []
    for _ in range(50):
        jobs.append(Job(gate.wait))
        threads.add_task(jobs[-1])
    assert len(threads._started) == 2
    gate.set()
    assert all(job.done.wait(SECONDS) for job in jobs)
    threads.shutdown(timeout=SECONDS)


def test_a_thread_survives_what_its_task_raises() -> None:
    def fail() -> None:
        raise SystemExit

    threads, job = Threads(1), Job()
    threads.add_task(Job(fail))
    threads.add_task(job)
    assert job.done.wait(SECONDS)
    threads.shutdown(timeout=SECONDS)


def test_shutdown_finishes_what_was_begun_and_cancels_what_waits() -> None:
    threads, begun, gate = Threads(1), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        gate.wait(SECONDS)

    working, waiting = Job(work), Job()
    threads.add_task(working)
    assert begun.wait(SECONDS)
    threads.add_task(waiting)
    threading.Timer(0.05, gate.set).start()
    threads.shutdown(timeout=SECONDS)
    assert working.done.is_set() and waiting.cancelled and not waiting.done.is_set()
    assert not any(thread.is_alive() for thread in threads._started)


def faults_below(depth: int) -> int:
    """Return the maximum of page faults of 300 calls at any depth of the stack up to this one."""
    if not depth:
        return 0
    before = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt
    for _ in range(300):
        leaf(0)
    faults = resource.getrusage(resource.RUSAGE_THREAD).ru_minflt - before
    return max(faults, faults_below(depth - 1))


def leaf(depth: int) -> int:
    return depth


def faults_in_a_thread(call: Callable[[Callable[[], None]], None]) -> int:
    """Return the page faults of calls in a new thread. ``call`` gets the function to call."""
    results: list[int] = []
    thread = threading.Thread(target=call, args=(lambda: results.append(faults_below(300)),))
    thread.start()
    thread.join()
    return results[0]


def test_calls_in_a_thread_of_the_server_map_no_memory() -> None:
    plain = faults_in_a_thread(lambda function: function())
    assert plain >= 300, "CPython maps none here any more: with_room_for_frames can go"
    assert faults_in_a_thread(with_room_for_frames) < 100
