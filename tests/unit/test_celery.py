"""The Celery app's options: what a message may be, when it is gone, who may wait how long."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from workers.celery import HARD_LIMIT_S, OPTIONS, VISIBILITY_S, app

pytestmark = pytest.mark.nojit
REPOSITORY = Path(__file__).parents[2]


def test_only_json_is_accepted_and_nothing_is_returned():
    assert app.conf.accept_content == ["json"]
    assert app.conf.task_serializer == "json"
    assert app.conf.result_backend is None
    assert app.conf.task_ignore_result


def test_a_message_is_acknowledged_late_and_never_requeued_by_celery():
    assert app.conf.task_acks_late
    assert not app.conf.task_reject_on_worker_lost
    assert app.conf.task_acks_on_failure
    assert app.conf.task_acks_on_timeout


def test_no_live_job_is_redelivered():
    transport = app.conf.broker_transport_options
    assert transport["visibility_timeout"] == VISIBILITY_S >= 3 * HARD_LIMIT_S
    assert app.conf.task_soft_time_limit < app.conf.task_time_limit == HARD_LIMIT_S


def test_every_option_is_one_that_celery_knows():
    from celery.app.defaults import NAMESPACES, flatten

    known = {name for name, _ in flatten(NAMESPACES)}
    # Celery reads these without declaring them.
    assert set(OPTIONS) - known <= {"result_backend"}


def test_the_app_is_found_by_its_documented_name():
    from celery.app.utils import find_app

    assert find_app("workers") is app


def test_a_message_is_small(monkeypatch):
    from workers.celery import send
    from workers.contracts import JobMessage

    sent = {}
    monkeypatch.setattr(app, "send_task", lambda name, **options: sent.update(options))
    send(JobMessage("a-run", 3, "0" * 8, 1), time_limit=50)
    assert sent["kwargs"] == {"run": "a-run", "i": 3, "cfg8": "0" * 8, "attempt": 1}
    assert sent["task_id"] == "a-run-3-1"
    assert (sent["time_limit"], sent["soft_time_limit"]) == (50, 48)
    assert len(json.dumps(sent["kwargs"])) < 100


def test_a_broker_that_is_away_is_a_transient_error():
    from workers.celery import send
    from workers.contracts import JobMessage
    from workers.errors import TransientError

    with app.connection_for_write("redis+socket:///nowhere/v.sock") as connection:
        producer = app.amqp.Producer(connection, auto_declare=False)
        with pytest.raises(TransientError, match="broker"):
            send(JobMessage("a-run", 3, "0" * 8, 1), producer=producer)


def test_the_driver_can_send_without_importing_engines_or_pandas():
    heavy = {"numba", "pyarrow", "pandas", "structlog"}
    code = f"import sys; from workers.celery import send; print({heavy} & set(sys.modules))"
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "set()\n"


def test_a_worker_imports_no_pandas_and_no_polars():
    # A forked child of a process that used polars hangs, and pandas costs every worker its start.
    code = (
        "import sys; from workers import boot, settings\n"
        "settings.warm_kernels = lambda: ('null', 'generate', ('basic',))\n"
        "boot.prepare(); print({'polars', 'pandas', 'matplotlib'} & set(sys.modules))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=True
    )
    assert ended.stdout == "set()\n"
