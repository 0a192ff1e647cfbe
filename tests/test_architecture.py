"""The rules of the house, read from the source: who may import whom, and what no module may do."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
HEAVY = {"torch", "transformers", "bitsandbytes"}

LAYERS: dict[str, set[str]] = {
    "errors": set(),
    "progress": set(),
    "tasks": set(),
    "decode": {"errors"},
    "models": {"decode", "errors"},
    "drafters": {"decode", "errors", "models"},
    "text": {"errors"},
    "stats": {"decode"},
    "stopping": {"decode", "errors", "text"},
    "loading": {"errors", "progress"},
    "profiles": {"decode", "errors", "loading", "tasks"},
    "prompts": {"errors", "loading", "profiles", "progress"},
    "session": {
        *("decode", "drafters", "errors", "loading", "models", "profiles", "progress", "prompts", "stats", "stopping"),
        "text",
    },
    "batch": {"errors", "profiles", "progress", "session", "stats", "tasks", "text"},
    "ui": {"batch", "errors", "profiles", "progress", "session", "stats", "text"},
}
"""Each part of the package and the parts that it may know. `cli` stands on top and may know them all."""

TORCH_FREE = [
    "specgen.cli",
    "specgen.profiles",
    "specgen.tasks",
    "specgen.text",
    "specgen.stopping",
    "specgen.stats",
    "specgen.batch",
    "specgen.loading.sources",
    "specgen.loading.gguf",
    "specgen.session",
]
ONE_TOKEN = [
    "cli/run.py",
    "profiles/resolution.py",
    "session.py",
    "decode/loop.py",
    "drafters/lookup.py",
    "models/target.py",
    "decode/accept.py",
    "models/cache.py",
    "stopping.py",
    "text/detokenizer.py",
    "ui/output.py",
]
"""The way of one token through the code, as the README tells it."""


@dataclass(frozen=True)
class Import:
    """`from module import name`, or `import module` without a name."""

    module: str
    name: str
    line: int
    top_level: bool

    @property
    def package(self) -> str:
        return self.module.partition(".")[0]


@dataclass(frozen=True)
class Source:
    """One module of the package."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT / "specgen").as_posix()

    @property
    def part(self) -> str:
        return self.name.partition("/")[0].removesuffix(".py")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text(encoding="utf-8"))

    @cached_property
    def imports(self) -> list[Import]:
        top = {id(node) for node in _executed_at_import(self.tree.body)}
        found: list[Import] = []
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                found += [Import(alias.name, "", node.lineno, id(node) in top) for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self.name}: imports are absolute"
                found += [Import(node.module or "", alias.name, node.lineno, id(node) in top) for alias in node.names]
        return found

    def calls(self) -> Iterator[tuple[str, int]]:
        """Names of all called functions and methods."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                called = node.func
                name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
                yield name, node.lineno

    def words(self) -> Iterator[tuple[str, int]]:
        """Identifiers, and the words of string constants that are not documentation."""
        documentation = {id(node.value) for node in ast.walk(self.tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(self.tree):
            for attribute in ("id", "attr", "arg", "name"):
                if isinstance(word := getattr(node, attribute, None), str):
                    yield word, getattr(node, "lineno", 0)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
                yield from ((word, node.lineno) for word in re.findall(r"\w+", node.value))


def _executed_at_import(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements of a module that run when it is imported; what only a type checker sees is left out."""
    for node in body:
        if isinstance(node, ast.If):
            checking = "TYPE_CHECKING" in ast.dump(node.test)
            yield from _executed_at_import(node.orelse if checking else [*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            parts = [*node.body, *node.orelse, *node.finalbody, *(s for h in node.handlers for s in h.body)]
            yield from _executed_at_import(parts)
        else:
            yield node


SOURCES = [Source(path) for path in sorted((ROOT / "specgen").rglob("*.py"))]


def broken(rule: Callable[[Source, Import], bool]) -> list[str]:
    """Imports that break a rule, as people look them up."""
    return [
        f"{source.name}:{found.line}: {found.module} {found.name}".rstrip()
        for source in SOURCES
        for found in source.imports
        if rule(source, found)
    ]


def imported_part(found: Import) -> str:
    """The part of the package that an import reaches for; empty for others and for the version number."""
    parts = found.module.split(".")
    if parts[0] != "specgen":
        return ""
    if len(parts) > 1:
        return parts[1]
    return "" if found.name.startswith("__") else found.name


def test_there_is_something_to_read() -> None:
    assert {source.part for source in SOURCES} >= LAYERS.keys() | {"cli"}
    assert sum(len(source.imports) for source in SOURCES) > 100


# --- who may import whom ----------------------------------------------------------------------------------------------


def test_every_part_knows_its_place() -> None:
    known = {source.part for source in SOURCES} - {"cli", "__init__", "__main__"}
    assert known == LAYERS.keys(), "a new part needs a place in LAYERS"

    def reaches_up(source: Source, found: Import) -> bool:
        part = imported_part(found)
        return source.part in LAYERS and part not in {"", source.part, *LAYERS[source.part]}

    assert broken(reaches_up) == []


def test_only_ui_imports_rich() -> None:
    assert broken(lambda source, found: found.package == "rich" and source.part != "ui") == []


def test_only_the_command_line_imports_click() -> None:
    assert broken(lambda source, found: found.package == "click" and source.part != "cli") == []


def test_neither_ui_nor_command_line_imports_torch() -> None:
    assert broken(lambda source, found: found.package in HEAVY and source.part in {"ui", "cli"}) == []


def test_torch_is_imported_late_outside_the_heart_and_the_models() -> None:
    def early(source: Source, found: Import) -> bool:
        return found.package in HEAVY and found.top_level and source.part not in {"decode", "drafters", "models"}

    assert broken(early) == []


def test_the_words_of_the_loop_need_no_torch() -> None:
    """`stats`, `stopping` and the settings are made of them."""
    words = {"decode/types.py", "decode/governor.py", "decode/tree.py", "drafters/__init__.py", "drafters/setup.py"}
    assert broken(lambda source, found: source.name in words and found.package in HEAVY and found.top_level) == []


def test_one_module_knows_the_caches_of_transformers() -> None:
    def touches(source: Source, found: Import) -> bool:
        theirs = found.package == "transformers" and ("cache" in found.module or found.name.endswith("Cache"))
        return theirs and source.name != "models/cache.py"

    assert broken(touches) == []
    croppers = [f"{s.name}:{line}" for s in SOURCES for name, line in s.calls() if name == "crop"]
    assert [place for place in croppers if not place.startswith("models/cache.py")] == []


def test_one_module_at_most_knows_bitsandbytes() -> None:
    users = {
        source.name
        for source in SOURCES
        for found in source.imports
        if found.package == "bitsandbytes" or found.name == "BitsAndBytesConfig"
    }
    assert len(users) <= 1


# --- what the heart does not know -------------------------------------------------------------------------------------


def test_the_heart_names_no_drafter() -> None:
    from specgen import drafters

    names = set(drafters.names()) - {"none"}  # a word of the language too: see the next test
    named = [
        f"{source.name}:{line}: {word}"
        for source in SOURCES
        if source.part == "decode"
        for word, line in source.words()
        if word in names
    ]
    assert named == []


def test_the_heart_and_its_models_know_no_text() -> None:
    """Strings for people are made above: below there are ids, tensors and errors."""
    packages = {"tokenizers", "rich", "click", "huggingface_hub", "gguf", "safetensors"}
    low = {"decode", "drafters", "models"}
    assert broken(lambda source, found: source.part in low and found.package in packages) == []
    assert broken(lambda source, found: source.part == "decode" and found.package == "transformers") == []


# --- what no module does ----------------------------------------------------------------------------------------------


def test_only_ui_and_command_line_print_or_exit() -> None:
    found = [
        f"{source.name}:{line}: {name}()"
        for source in SOURCES
        if source.part not in {"ui", "cli", "__main__"}
        for name, line in source.calls()
        if name in {"print", "exit", "_exit", "input", "breakpoint"}
    ]
    assert found == []


def test_modules_are_of_one_subject() -> None:
    long = {source.name: len(source.path.read_text(encoding="utf-8").splitlines()) for source in SOURCES}
    assert {name: lines for name, lines in long.items() if lines > 400} == {}
    vague = re.compile(r"(^|[/_])(utils?|helpers?|common|managers?|misc)(_|\.py|/)")
    assert [source.name for source in SOURCES if vague.search(source.name)] == []


def test_modules_say_what_they_are() -> None:
    undocumented = [s.name for s in SOURCES if s.tree.body and ast.get_docstring(s.tree) is None]
    assert undocumented == []


# --- what people rely on ----------------------------------------------------------------------------------------------

WITHOUT_TORCH = """
import importlib, sys

for name in sys.argv[1:]:
    importlib.import_module(name)
    heavy = {"torch", "transformers", "bitsandbytes"} & sys.modules.keys()
    assert not heavy, f"importing {name} imports {heavy}"

import click
from click.testing import CliRunner
from specgen.cli import cli

commands = [[], *([name] for name in cli.list_commands(click.Context(cli)))]
assert len(commands) > 3
for command in commands:
    shown = CliRunner().invoke(cli, [*command, "--help"])
    assert shown.exit_code == 0, (command, shown.output)
    assert "Usage:" in shown.output
    heavy = {"torch", "transformers", "bitsandbytes"} & sys.modules.keys()
    assert not heavy, f"specgen {command} --help imports {heavy}"
"""


def test_help_and_settings_do_without_torch() -> None:
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT_TORCH, *TORCH_FREE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr


def test_every_registered_drafter_is_proven_lossless() -> None:
    import test_lossless

    from specgen import drafters

    assert set(drafters.names()) <= set(test_lossless.DRAFTERS)
    assert {"lookup", "draft_model", "none"} <= set(drafters.names())


@pytest.mark.parametrize("name", ONE_TOKEN)
def test_one_token_can_be_followed(name: str) -> None:
    assert (ROOT / "specgen" / name).is_file()
    assert f"specgen/{name}" in (ROOT / "README.md").read_text(encoding="utf-8")
