"""Writes the direct callers of sampled Python functions, as jedi resolves them.

usage: python truth.py REPOSITORY OUTPUT [--functions N] [--max-sites N]

Every place that mentions the name of a sampled function is resolved with `Script.goto`. A place is a caller if it is a
call or a decorator and one of the resolved definitions is the function. A place that refers to the function without
calling it (for example, the function is passed as an argument) is listed under `uses`.
"""

import argparse
import ast
import io
import json
import pathlib
import random
import subprocess
import sys
import tokenize

import jedi

SEED = 15


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--functions", type=int, default=80)
    parser.add_argument("--max-sites", type=int, default=600)
    arguments = parser.parse_args()
    root = arguments.repository.resolve()
    sources = read_sources(root)
    sites = find_sites(sources)
    candidates = [
        function
        for path, source in sources.items()
        if not is_test(path)
        for function in functions_of(path, source)
        if 0 < len(sites.get(function["name"], [])) <= arguments.max_sites
    ]
    candidates.sort(key=lambda function: (function["path"], function["line"]))
    random.Random(SEED).shuffle(candidates)
    chosen = candidates[: arguments.functions]
    resolve(root, sources, sites, chosen)
    arguments.output.write_text(json.dumps({"repository": root.name, "functions": chosen}, indent=1))


def read_sources(root):
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=root, capture_output=True, text=True, check=True)
    sources = {}
    for path in listed.stdout.split("\n"):
        try:
            text = (root / path).read_text()
            ast.parse(text)
        except (SyntaxError, UnicodeDecodeError, ValueError, OSError):
            continue
        sources[path] = text
    return sources


def is_test(path):
    parts = pathlib.PurePath(path).parts
    return any(part in ("test", "tests", "testing", "docs", "examples", "benchmarks") for part in parts) or parts[-1].startswith("test_")


def functions_of(path, source):
    """Returns the functions of modules and the methods of classes, without special methods."""
    found = []

    def visit(node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if not child.name.startswith("__"):
                    found.append({"path": path, "line": child.lineno, "name": child.name})
            elif isinstance(child, (ast.ClassDef, ast.If, ast.Try)):
                visit(child)

    visit(ast.parse(source))
    return found


def find_sites(sources):
    """Returns for each name the places that mention it: (path, line, column, is_call)."""
    sites = {}
    for path, source in sources.items():
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
        except (tokenize.TokenError, IndentationError):
            continue
        line_tokens = []
        for at, token in enumerate(tokens):
            if token.type in (tokenize.NEWLINE, tokenize.NL) and token.type == tokenize.NEWLINE:
                add_line(sites, path, line_tokens)
                line_tokens = []
            elif token.type not in (tokenize.COMMENT, tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                line_tokens.append(token)
        add_line(sites, path, line_tokens)
    return sites


def add_line(sites, path, tokens):
    if not tokens or tokens[0].string in ("import", "from"):
        return
    is_decorator = tokens[0].string == "@"
    for at, token in enumerate(tokens):
        if token.type != tokenize.NAME:
            continue
        before = tokens[at - 1].string if at else ""
        after = tokens[at + 1].string if at + 1 < len(tokens) else ""
        if before in ("def", "class") or (after == "=" and before in ("(", ",")):
            continue
        is_call = after == "(" or (is_decorator and at + 1 == len(tokens))
        sites.setdefault(token.string, []).append((path, token.start[0], token.start[1], is_call))


def resolve(root, sources, sites, functions):
    added = [str(root / "src")] if (root / "src").is_dir() else []
    project = jedi.Project(root, added_sys_path=added)
    names = {}
    for function in functions:
        function["callers"], function["uses"] = [], []
        names.setdefault(function["name"], []).append(function)
    for number, name in enumerate(sorted(names)):
        print(f"{number + 1}/{len(names)} {name}: {len(sites[name])} places", file=sys.stderr)
        for path, line, column, is_call in sites[name]:
            # A script resolves fewer names after it has resolved some, so each place gets a new one.
            script = jedi.Script(sources[path], path=root / path, project=project)
            try:
                found = script.goto(line, column, follow_imports=True)
            except Exception as error:  # jedi fails on some sources
                print(f"{path}:{line}: {error!r}", file=sys.stderr)
                continue
            for function in names[name]:
                if any(is_same(root, definition, function) for definition in found):
                    function["callers" if is_call else "uses"].append(f"{path}:{line}")
    for function in functions:
        for key in ("callers", "uses"):
            function[key] = sorted(set(function[key]))


def is_same(root, definition, function):
    return (
        definition.module_path is not None
        and definition.line == function["line"]
        and pathlib.Path(definition.module_path) == root / function["path"]
    )


main()
