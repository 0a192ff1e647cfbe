"""From flags to settings: every flag arrives, nonsense is refused by name."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from command_run import Run
from scripted import ScriptedSession

from specgen.cli.options import overrides_from
from specgen.cli.run import run as run_command
from specgen.errors import UsageError
from specgen.profiles import Overrides


def test_every_setting_has_a_flag() -> None:
    assert {field.name for field in fields(Overrides)} <= {each.name for each in run_command.params}


def test_every_flag_explains_itself_and_says_its_default() -> None:
    switches = {"raw", "hide_thinking", "truncate", "as_json", "no_stream", "quiet", "verbose", "offline"}
    repeatable_or_optional = {"files", "stop", "logit_bias", "allow_self_draft"}
    for option in run_command.params[1:]:
        text = getattr(option, "help", None)
        assert text, option.name
        if option.name not in switches | repeatable_or_optional:
            assert "default" in text.lower() or "chooses" in text, option.name


def test_flags_arrive(run: Run) -> None:
    ran = run(
        *("-n", "7", "-t", "0.5", "--top-k", "4", "--top-p", "0.9", "--min-p", "0.1", "--seed", "3"),
        *("--repetition-penalty", "1.1", "--presence-penalty", "-1", "--frequency-penalty", "2"),
        *("--no-repeat-ngram", "3", "--min-tokens", "2", "--logit-bias", "5=-1.5", "--logit-bias", "6=2"),
        *("--stop", "a", "--stop", "b", "-s", "be brief", "--think", "--hide-thinking", "--truncate"),
        *("--drafter", "lookup", "-k", "6", "--ngram-min", "3", "--ngram-max", "4", "--json", "hi"),
    )
    assert ran.code == 0, ran.err
    settings = ran.document["settings"]
    sampling = settings.pop("sampling")
    assert sampling == {
        "temperature": 0.5,
        "top_k": 4,
        "top_p": 0.9,
        "min_p": 0.1,
        "seed": 3,
        "min_tokens": 2,
        "repetition_penalty": 1.1,
        "presence_penalty": -1.0,
        "frequency_penalty": 2.0,
        "no_repeat_ngram": 3,
        "logit_bias": {"5": -1.5, "6": 2.0},
    }
    expected = {"max_tokens": 7, "stop": ["a", "b"], "system": "be brief", "think": True, "hide_thinking": True}
    expected |= {"truncate": True, "drafter": "lookup", "num_draft_tokens": 6, "ngram_min": 3, "ngram_max": 4}
    assert expected.items() <= settings.items()


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        *((flag, "nan") for flag in ("--temp", "--top-p", "--min-p", "--repetition-penalty", "--presence-penalty")),
        *((flag, "inf") for flag in ("--temp", "--frequency-penalty")),
        *((flag, "-1") for flag in ("--temp", "--max-tokens", "--num-draft-tokens", "--top-k", "--seed", "--min-p")),
        *((flag, "x") for flag in ("--temp", "--max-tokens", "--threads", "--stats", "--quant", "--dtype", "--device")),
        *((flag, "0") for flag in ("--top-p", "--threads", "--repetition-penalty", "--ngram-min")),
        *((flag, "2") for flag in ("--top-p", "--min-p")),
        *((flag, "") for flag in ("--stop", "--max-tokens")),
        *((("--logit-bias", value)) for value in ("5", "x=1", "5=x", "5=nan", "-1=2")),
    ],
)
def test_refused_by_name(run: Run, flag: str, value: str) -> None:
    ran = run(flag, value, "hi")
    assert (ran.code, ran.out) == (2, "")
    first = ran.err.splitlines()[0]
    assert first.startswith("specgen: error: ")
    assert flag in first
    assert ScriptedSession.prompts == ()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(r"\n\n3.", "\n\n3."), (r"a\tb", "a\tb"), (r"a\\n", r"a\n"), (r"\d", r"\d"), ("\\", "\\"), (" END", " END")],
)
def test_escapes_in_stop_strings(typed: str, meant: str) -> None:
    assert overrides_from({"stop": (typed,)}).stop == (meant,)


def test_system_message_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "system [bold].txt"
    path.write_bytes("\ufeffBe brief.\r\n".encode())
    assert overrides_from({"system": f"@{path}"}).system == "Be brief.\n"
    assert overrides_from({"system": "a@b"}).system == "a@b"
    with pytest.raises(UsageError, match="no such file"):
        overrides_from({"system": f"@{tmp_path}/missing"})


def test_what_was_not_given_stays_open() -> None:
    assert overrides_from({"stop": (), "logit_bias": (), "raw": None}) == Overrides()
