"""Logs: one JSON object a line on standard error, or coloured lines on a terminal.

Celery's own records pass through the same renderer, with the run and job that a worker has in
hand (`structlog.contextvars`).
"""

import logging
import sys
from typing import Any

import structlog

SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(level: int | str = logging.WARNING) -> None:
    """Send every log record of this process to standard error, `level` and above."""
    render: list[Any] = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    if sys.stderr.isatty():
        render = [structlog.dev.ConsoleRenderer()]
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=SHARED,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *render],
    )
    stream = logging.StreamHandler(sys.stderr)
    stream.setFormatter(formatter)
    logging.getLogger("celery.app.trace").addFilter(_is_no_rejection)
    root = logging.getLogger()
    root.handlers = [stream]
    root.setLevel(level)
    structlog.configure(
        processors=[*SHARED, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(root.level),
        cache_logger_on_first_use=True,
    )


def _is_no_rejection(record: logging.LogRecord) -> bool:
    """Celery logs a traceback for every message given back; why it was, `workers.tasks` says."""
    context = getattr(record, "data", None)
    return not isinstance(context, dict) or context.get("description") != "rejected"
