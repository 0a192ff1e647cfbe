"""Chat templates: messages -> the text that the model was trained on. Jinja in a sandbox, as transformers does it.

Written out because importing transformers' renderer takes a second. Knows nothing of ids.
Reference: https://huggingface.co/docs/transformers/chat_templating_writing
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

from specgen.errors import ModelError, UsageError

if TYPE_CHECKING:
    import jinja2

_SWITCHES = ("enable_thinking", "thinking")


class ChatTemplate:
    """One template with the special tokens that it may use."""

    def __init__(self, source: str, names: Mapping[str, str]) -> None:
        self._source = source
        self._names = dict(names)

    @cached_property
    def thinking_switch(self) -> str | None:
        """Name of the variable that turns thinking on and off, None when the template has none."""
        from jinja2 import meta

        variables = meta.find_undeclared_variables(self._template.environment.parse(self._source))
        return next((name for name in _SWITCHES if name in variables), None)

    def render(self, messages: Sequence[Mapping[str, str]], *, think: bool | None) -> str:
        """The prompt, ending where the assistant's answer begins.

        `think` sets the template's switch; None leaves it at the template's default. Raises UsageError when there is
        no such switch, when the template has no place for a system message or refuses the messages, and ModelError
        when the template itself is broken.
        """
        import jinja2

        variables: dict[str, Any] = {}
        if think is not None:
            if self.thinking_switch is None:
                raise UsageError(
                    "this model's chat template cannot switch thinking", hint="leave out --think/--no-think"
                )
            variables[self.thinking_switch] = think
        try:
            text = self._expand(messages, variables)
        except jinja2.TemplateError as error:
            self._explain(messages, variables, error)
        for message in messages:
            if message["role"] == "system" and message["content"].strip() not in text:
                raise _no_system_message("it leaves the message out")
        return text

    def _expand(self, messages: Sequence[Mapping[str, str]], variables: Mapping[str, Any]) -> str:
        import jinja2

        try:
            return self._template.render(
                messages=[dict(message) for message in messages],
                tools=None,
                documents=None,
                add_generation_prompt=True,
                **self._names,
                **variables,
            )
        except jinja2.TemplateError:
            raise
        except Exception as error:
            raise ModelError(
                f"the model's chat template fails: {error}", hint="--raw sends the prompt as it is"
            ) from error

    def _explain(
        self, messages: Sequence[Mapping[str, str]], variables: Mapping[str, Any], error: Exception
    ) -> NoReturn:
        """Find out whether the system message is what the template refuses."""
        import jinja2

        others = [message for message in messages if message["role"] != "system"]
        if len(others) < len(messages):
            try:
                self._expand(others, variables)
            except jinja2.TemplateError:
                pass
            else:
                raise _no_system_message(str(error)) from error
        raise UsageError(f"the model's chat template refuses the messages: {error}") from error

    @cached_property
    def _template(self) -> jinja2.Template:
        import jinja2

        try:
            return _environment().from_string(self._source)
        except jinja2.TemplateError as error:
            raise ModelError(
                f"the model's chat template is broken: {error}", hint="--raw sends the prompt as it is"
            ) from error


def _no_system_message(reason: str) -> UsageError:
    return UsageError(
        f"this model's chat template takes no system message: {reason}",
        hint="leave out --system and put the instruction into the prompt",
    )


def _environment() -> jinja2.Environment:
    from jinja2.ext import Extension, loopcontrols
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    class Generation(Extension):
        """{% generation %} ... {% endgeneration %} marks the assistant's words for training; it prints its body."""

        tags = {"generation"}  # noqa: RUF012 (jinja's own declaration)

        def parse(self, parser: jinja2.parser.Parser) -> list[jinja2.nodes.Node]:
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[Generation, loopcontrols]
    )
    environment.filters["tojson"] = _to_json
    environment.globals |= {"raise_exception": _refuse, "strftime_now": _now}
    return environment


def _refuse(message: str) -> NoReturn:
    import jinja2

    raise jinja2.TemplateError(message)


def _now(pattern: str) -> str:
    return datetime.now().strftime(pattern)


def _to_json(
    value: Any,
    ensure_ascii: bool = False,
    indent: int | None = None,
    separators: tuple[str, str] | None = None,
    sort_keys: bool = False,
) -> str:
    """Jinja's own filter escapes HTML. Templates pass the rest by position, too."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)
