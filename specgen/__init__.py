"""specgen: the target model's own text, faster."""

from __future__ import annotations

__version__ = "0.1.0"
