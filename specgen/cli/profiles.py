"""`specgen profiles`: what there is, and what one of them says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from specgen.profiles import Listed, Profile


@click.command("profiles")
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
def profiles(*, name: str | None, as_json: bool) -> None:
    """List the profiles, or show NAME (a name or a .toml file)."""
    from specgen.profiles import find_profile, list_profiles

    if name is not None:
        profile = find_profile(name)
        _print(_facts(profile), as_json=as_json, text=profile.path.read_text(encoding="utf-8"))
        return
    listed = list_profiles()
    rows = [_facts(each.profile) if each.profile else {"name": each.name, "problem": each.problem} for each in listed]
    _print(rows, as_json=as_json, text="\n".join(_row(each) for each in listed))


def _print(document: Any, *, as_json: bool, text: str) -> None:
    from specgen.ui.output import print_json, print_text

    if as_json:
        print_json(document)
    else:
        print_text(text)


def _row(listed: Listed) -> str:
    if listed.profile is None:
        return f"{listed.name:22} invalid   {listed.problem}"
    return f"{listed.name:22} {'on disk' if _on_disk(listed.profile) else '-':9} {listed.profile.description}"


def _facts(profile: Profile) -> dict[str, Any]:
    return {
        "name": profile.name,
        "description": profile.description,
        "licence": profile.licence,
        "path": str(profile.path),
        "targets": [weights.source.label for weights in profile.targets],
        "draft_models": [weights.source.label for weights in profile.draft_models],
        "on_disk": _on_disk(profile),
    }


def _on_disk(profile: Profile) -> bool:
    from specgen.loading.sources import locate

    return any(locate(weights.source) is not None for weights in profile.targets)
