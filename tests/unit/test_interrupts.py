"""Signals are counted, and break in only where that was allowed."""

import os
import signal
import threading

import pytest

from pipeline.interrupts import Interrupts


def send(number: int = signal.SIGINT) -> None:
    os.kill(os.getpid(), number)


def test_signals_are_counted_and_the_old_handlers_come_back() -> None:
    before = signal.getsignal(signal.SIGINT)
    with Interrupts() as interrupts:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            send(number)
        assert interrupts.count == 3
        assert interrupts.hurry()
    assert signal.getsignal(signal.SIGINT) is before


def test_the_first_signal_breaks_into_a_block_that_allows_it() -> None:
    with Interrupts() as interrupts:
        with pytest.raises(KeyboardInterrupt), interrupts.within(1):
            send()
        send()  # outside of the block it is only counted
        assert interrupts.count == 2


def test_a_block_entered_too_late_is_not_begun() -> None:
    begun = False
    with Interrupts() as interrupts:
        send()
        with pytest.raises(KeyboardInterrupt), interrupts.within(1):
            begun = True
    assert not begun


def test_the_second_signal_breaks_into_a_block_that_bears_one() -> None:
    with Interrupts() as interrupts:
        send()
        assert not interrupts.hurry()
        with pytest.raises(KeyboardInterrupt), interrupts.within(2):
            send()


def test_an_error_that_a_library_made_of_the_signal_is_still_an_interrupt() -> None:
    def swallow() -> None:
        try:
            send()
        except KeyboardInterrupt:
            raise TypeError("what was this?") from None

    with Interrupts() as interrupts:
        with pytest.raises(TypeError), interrupts.within(1):
            raise TypeError("no signal came")
        with pytest.raises(KeyboardInterrupt), interrupts.within(1):
            swallow()


def test_in_another_thread_signals_are_left_alone() -> None:
    counted = []

    def run() -> None:
        with Interrupts() as interrupts:
            counted.append(interrupts.count)

    before = signal.getsignal(signal.SIGINT)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert counted == [0]
    assert signal.getsignal(signal.SIGINT) is before
