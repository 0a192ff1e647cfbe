"""Many prompts from JSON lines to JSON lines: every row answered or its error named, nothing lost.

    lines.py -> json_line.py, rows.py (messages.py, options.py) -> items.py -> run.py -> records.py -> output.py
                                                                               (finished.py, sidecar.py: resuming)

The answers come from a callable; this package must not know models, sessions, flags or screens.
"""

from __future__ import annotations

from specgen.batch.lines import STDIN, Inputs
from specgen.batch.messages import Turn
from specgen.batch.options import RowError, RowOptions
from specgen.batch.output import FileOutput, Output, StreamOutput
from specgen.batch.records import Answer, Format, OpenAIFormat, OwnFormat
from specgen.batch.rows import Row
from specgen.batch.run import Answering, CannotAnswer, run_batch
from specgen.batch.summary import BatchSummary

__all__ = [
    "STDIN",
    "Answer",
    "Answering",
    "BatchSummary",
    "CannotAnswer",
    "FileOutput",
    "Format",
    "Inputs",
    "OpenAIFormat",
    "Output",
    "OwnFormat",
    "Row",
    "RowError",
    "RowOptions",
    "StreamOutput",
    "Turn",
    "run_batch",
]
