"""Tell-tale pieces of sources, configuration and logs: what `inputs` looks for. Data only."""

from __future__ import annotations

# fmt: off
SUFFIXES: dict[str, dict[str, str]] = {
    "CODE": {
        "Python": "py pyi pyx", "JavaScript": "js mjs cjs jsx", "TypeScript": "ts tsx", "Go": "go", "Rust": "rs",
        "C": "c h", "C++": "cpp cc cxx hpp hh", "C#": "cs", "Java": "java", "Kotlin": "kt kts", "Swift": "swift",
        "PHP": "php", "Ruby": "rb", "Perl": "pl pm", "Lua": "lua", "R": "r", "Scala": "scala", "Haskell": "hs",
        "Shell": "sh bash zsh fish", "PowerShell": "ps1", "SQL": "sql", "Dart": "dart", "Elixir": "ex exs",
        "Julia": "jl", "Zig": "zig", "Vue": "vue", "Svelte": "svelte", "Batch": "bat cmd",
        "GraphQL": "graphql gql",
    },
    "CONFIG": {
        "YAML": "yaml yml", "TOML": "toml", "INI": "ini cfg conf properties service", "env": "env",
        "HCL": "tf hcl", "CMake": "cmake", "Make": "mk", "Gradle": "gradle", "nginx": "nginx",
    },
    "MARKUP": {
        "HTML": "html htm xhtml", "CSS": "css scss sass less", "SVG": "svg", "LaTeX": "tex",
    },
    "DATA": {
        "CSV": "csv", "TSV": "tsv", "JSON lines": "jsonl ndjson",
    },
    "PROSE": {
        "Markdown": "md markdown rst adoc", "subtitles": "srt vtt", "mail": "eml",
    },
    "LOG": {
        "log": "log",
    },
    "DIFF": {
        "diff": "diff patch",
    },
}
"""By kind and language: file name endings."""
CONFIG_NAMES: dict[str, str] = {
    "dockerfile": "Dockerfile", "makefile": "Make", ".env": "env", "cmakelists.txt": "CMake",
    "requirements.txt": "requirements", "pom.xml": "XML", "package.json": "JSON", "tsconfig.json": "JSON",
    "composer.json": "JSON", "settings.json": "JSON", "config.json": "JSON", "jenkinsfile": "Groovy",
    "nginx.conf": "nginx", ".gitignore": "gitignore", ".editorconfig": "INI", "crontab": "crontab",
    "procfile": "Procfile", "web.config": "XML",
}
"""Whole file names of configuration, and their language."""
SOURCE_PIECES: dict[str, dict[str, int]] = {
    "Python": {
        "\ndef ": 3, "\nasync def ": 3, "\nclass ": 1, "\nimport ": 1, " import ": 1, "self.": 2, "\nelif ": 2,
        "__name__": 3, "\nexcept": 1, "print(": 1, "\nreturn ": 1, " in range(": 2, "):\n": 1, "\n@": 1,
        "\nprint ": 1, "lambda ": 1, "\nraise ": 1, "\nwith open(": 2, "    return ": 1, ": return ": 1,
        "\ntry:": 2, "\nelse:": 2, "None": 1, "import numpy": 2, "import pandas": 2, " for x in ": 1,
        ".append(": 1,
    },
    "JavaScript": {
        "\nfunction ": 3, "\nconst ": 2, "\nlet ": 1, "\nvar ": 2, "=> {": 2, " => ": 1, "===": 2, "require(": 2,
        "module.exports": 3, "console.log": 3, "document.": 2, "\nexport ": 1, "async function": 3, "await ": 1,
        "null;": 1, "function(": 2, "function (": 2, "});": 2, "\nimport {": 3, " from '": 1, ' from "': 1,
        "\nreturn ": 1, "addEventListener": 3, "useState(": 3, "/>": 1,
    },
    "TypeScript": {
        "interface ": 2, ": string": 2, ": number": 2, ": boolean": 2, " as any": 2, ": any": 2, "export type": 3,
        "Promise<": 2, "readonly ": 1,
    },
    "Go": {
        "\npackage ": 3, "\nfunc ": 3, " := ": 2, "fmt.": 2, "err != nil": 3, "\nimport (": 2, "chan ": 1,
        "go func": 2,
    },
    "Rust": {
        "\nfn ": 3, "\npub fn ": 3, "let mut ": 3, "impl ": 2, "\nuse ": 1, "println!": 3, "&str": 2, "Vec<": 2,
        "-> ": 1, "match ": 1, "::": 1, "#[derive": 3, ".unwrap()": 3,
    },
    "C": {
        "#include": 4, "#define": 3, "int main": 3, "printf(": 2, "\nstatic ": 1, "->": 1, "\nvoid ": 2,
        "\nint ": 1, "malloc(": 2, "sizeof": 2, "\nstruct ": 2, "NULL": 2, "char *": 2, "std::": 3, "cout <<": 3,
    },
    "Java": {
        "\npublic ": 2, "\nprivate ": 2, "public class": 3, "System.out": 3, "\nimport java": 3, "@Override": 3,
        " void ": 1, " new ": 1, "String ": 1, "\npackage ": 2, "public static void main": 3, "\nfinal ": 1,
        "List<": 2,
    },
    "C#": {
        "\nusing System": 4, "namespace ": 2, "Console.Write": 3, "{ get; set; }": 4, "public async Task": 3,
        "\nvar ": 1,
    },
    "Kotlin": {
        "\nfun ": 3, "\nval ": 2, "data class": 3, "println(": 1,
    },
    "Swift": {
        "\nfunc ": 2, "\nlet ": 1, "guard let": 3, "if let": 2, "import Foundation": 4, "import UIKit": 4,
    },
    "PHP": {
        "<?php": 5, "$this->": 4, "\necho ": 1, "\n$": 1, "function ": 1,
    },
    "Ruby": {
        "\nend\n": 2, "\ndef ": 2, "attr_accessor": 4, " do |": 3, "\nputs ": 2, "\nrequire '": 3, ".each": 1,
    },
    "Shell": {
        "#!/bin/": 5, "#!/usr/bin/env": 4, "\nif [": 3, "\nfi\n": 3, "\ndone\n": 2, "\necho ": 2, "\nexport ": 1,
        "; do\n": 2, "; then\n": 3, "$(": 1, "\nset -": 2, "\nsudo ": 2, "\ncurl ": 2, "\ngit ": 1, "\ncd ": 1,
        "\nmkdir ": 1,
    },
    "SQL": {
        "\nSELECT ": 4, "\nselect ": 2, "\nFROM ": 2, " FROM ": 2, "\nfrom ": 1, " from ": 1, "\nWHERE ": 2,
        " WHERE ": 1, "\nwhere ": 1, " where ": 1, "\nCREATE TABLE": 5, "\ncreate table": 4, "\nINSERT INTO": 4,
        "\ninsert into": 4, "\nUPDATE ": 3, " JOIN ": 2, " join ": 1, "\nALTER TABLE": 4, "GROUP BY": 2,
        "ORDER BY": 2, "group by": 1, "\nWITH ": 2, "\nDELETE FROM": 4,
    },
    "R": {
        " <- ": 3, "library(": 3, "data.frame": 2, "function(": 1,
    },
    "Lua": {
        "\nlocal ": 2, "local function": 4, " then\n": 2, "\nend\n": 2,
    },
    "Haskell": {
        " :: ": 2, "\nmodule ": 2, " where\n": 1, "\ndata ": 1, "\nimport qualified": 4,
    },
}
"""By language: pieces and their worth. Lines are stripped and joined, so a leading newline marks a line's beginning."""
MARKUP_PIECES: dict[str, tuple[str, ...]] = {
    "HTML": (
        "<html", "<!doctype html", "<div", "<p>", "<p ", "<ul", "<ol", "<li", "<a href", "<body", "<span",
        "<table", "<form", "<button", "<img", "<h1", "<h2", "<nav", "<section", "<input", "<script", "<head",
        "<center", "<font", "<template",
    ),
    "LaTeX": (
        "\\begin{", "\\documentclass", "\\section{", "\\usepackage", "\\end{",
    ),
}
TRACE_PIECES = (
    "Traceback (most recent", "\nException in thread", "\npanic: ", "goroutine ", "\nCaused by: ", "\n\tat ",
    "\n    at ", "error[E", "Segmentation fault", "Uncaught ",
)
CONFIG_KEYS = (
    'options"', '"scripts"', 'dependencies"', '"version"', '"include"', '"exclude"', '"rules"', '"plugins"',
    '"extends"', '"settings"', '"port"', '"host"', '"debug"', '"enabled"', '"config"', '"env"', '"target"',
)
"""Ends of JSON keys that configure something."""
# fmt: on
