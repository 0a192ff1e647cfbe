"""Reads a TOML file so that every complaint names the file and the key. It must not know what the keys mean."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specgen.errors import UsageError
from specgen.profiles.options import check


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a TOML file. Every method raises UsageError with the file and the full key."""

    path: Path
    key: str
    """Dotted, empty for the whole file."""
    content: Mapping[str, Any]

    @classmethod
    def read(cls, path: Path) -> Table:
        """The whole file."""
        try:
            content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
        except OSError as error:
            raise UsageError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from error
        except UnicodeDecodeError as error:
            raise UsageError(f"{path}: not UTF-8 (byte {error.start})") from error
        except tomllib.TOMLDecodeError as error:
            raise UsageError(f"{path}: {_explain(str(error))}", hint="the file is TOML: key = value") from error
        except RecursionError as error:
            raise UsageError(f"{path}: nested too deeply") from error
        return cls(path, "", content)

    def only(self, known: Iterable[str]) -> None:
        """Refuse every key but the known ones."""
        known = list(known)
        for name in self.content:
            if name not in known:
                near = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]}?" if near else f"it may be {', '.join(known)}"
                raise self.error(name, "unknown key", hint=hint)

    def value(self, name: str) -> Any:
        """The value of an option after its rule, `None` if it is absent."""
        if name not in self.content:
            return None
        return check(name, self.content[name], where=f"{self.path}: {self.full(name)}")

    def text(self, name: str) -> str | None:
        """A string with something in it, `None` if it is absent."""
        value = self.content.get(name)
        if value is None or (isinstance(value, str) and value.strip()):
            return value
        raise self.error(name, "must be text that is not empty")

    def count(self, name: str) -> int | None:
        """A positive whole number, `None` if it is absent."""
        value = self.content.get(name)
        if value is None or (isinstance(value, int) and not isinstance(value, bool) and value > 0):
            return value
        raise self.error(name, "must be a whole number above 0")

    def table(self, name: str) -> Table:
        """A table inside this one, empty if it is absent."""
        value = self.content.get(name, {})
        if not isinstance(value, dict):
            raise self.error(name, "must be a table", hint=f"write it as [{self.full(name)}]")
        return Table(self.path, self.full(name), value)

    def tables(self, name: str) -> list[Table]:
        """An array of tables, empty if it is absent."""
        value = self.content.get(name, [])
        if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
            raise self.error(name, "must be an array of tables", hint=f"write each one as [[{self.full(name)}]]")
        return [Table(self.path, self.full(name), each) for each in value]

    def full(self, name: str) -> str:
        """The dotted key of `name`."""
        return f"{self.key}.{name}" if self.key else name

    def error(self, name: str, problem: str, *, hint: str | None = None) -> UsageError:
        """What is wrong with a key (or, without a name, with this table), to be raised."""
        where = self.full(name) if name else self.key
        return UsageError(f"{self.path}: {where}: {problem}", hint=hint)


def _explain(message: str) -> str:
    """`Invalid value (at line 3, column 5)` with its place first."""
    found = re.fullmatch(r"(?P<what>.*) \(at (?P<place>[^()]*)\)", message, re.DOTALL)
    if found is None:
        return message
    what = found["what"].replace("\n", " ")
    return f"{found['place']}: {what[:1].lower()}{what[1:]}"
