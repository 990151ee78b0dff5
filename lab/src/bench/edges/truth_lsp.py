"""Writes the direct callers of sampled functions, as a language server resolves them.

usage: python truth_lsp.py SERVER REPOSITORY OUTPUT [--functions N] [--python PROGRAM] [--command WORDS]

SERVER is gopls, pyright or rust-analyzer. `--command` starts the server in another way, for example in a container;
the repository must have the same path there.

A reference to the function is a caller if it is a call or a decorator and the definition of the name at this place is
the function. Other references, except imports, are listed under `uses`. Two kinds of places are listed under
`undecided`, because they are neither required nor wrong:

- a call through an interface, a trait or a base class: it is a call of the declared method, not of an implementation
- a call in code that the server leaves out, for example for another operating system (Go and Rust)
"""

import argparse
import itertools
import json
import pathlib
import random
import re
import shlex
import subprocess
import sys

SEED = 15
MAX_CHECKED = 100
"""The number of other calls of a name that are checked for code that the server leaves out."""
FUNCTION_KINDS = (6, 12)
"""The numbers of methods and functions in `SymbolKind`."""
INTERFACE_KIND = 11

LANGUAGES = {
    "gopls": {
        "id": "go",
        "ending": ".go",
        "command": ["gopls"],
        "call": r"\s*(\[[^\[\]()]*\])?\(",
        "declaration": r"\bfunc\s+(\([^()]*\)\s*)?$",
        "import": r"\s*import\b",
        "test": r"_test\.go$|(^|/)(vendor|testdata|_fixtures|_scripts|tests?|integration|examples?|docs?)/|\.pb\.go$",
        "left_out": "files",
        "options": {},
    },
    "rust-analyzer": {
        "id": "rust",
        "ending": ".rs",
        "command": ["rust-analyzer"],
        "call": r"(::<[^()]*>)?\(",
        "declaration": r"\bfn\s+$",
        "import": r"\s*(pub(\([^()]*\))?\s+)?use\b",
        "test": r"(^|/)(tests?|benches|examples|docs?|xtask|fuzz)(/|\.rs$)|_tests?\.rs$|(^|/)build\.rs$",
        "left_out": "places",
        # No code of the repository runs: neither its build scripts nor its procedural macros.
        "options": {
            "cargo": {"buildScripts": {"enable": False}, "allTargets": True},
            "procMacro": {"enable": False},
            "checkOnSave": False,
            "diagnostics": {"enable": False},
            "cachePriming": {"enable": False},
        },
    },
    "pyright": {
        "id": "python",
        "ending": ".py",
        "command": ["pyright-langserver", "--stdio"],
        "call": r"\s*\(",
        "declaration": r"\b(def|class)\s+$",
        "import": r"\s*(import|from)\b",
        "test": r"(^|/)(tests?|testing|docs|examples|benchmarks)/|(^|/)(test_[^/]*|conftest)\.py$",
        "left_out": None,
        "options": {},
    },
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server", choices=LANGUAGES)
    parser.add_argument("repository", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--functions", type=int, default=80)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--command", type=shlex.split)
    arguments = parser.parse_args()
    root = arguments.repository.resolve()
    language = LANGUAGES[arguments.server]
    settings = {"python": {"pythonPath": arguments.python}, "rust-analyzer": language["options"]}
    sources = read_sources(root, language["ending"])
    server = Server(arguments.command or language["command"], root, settings, language["options"])
    server.start(is_slow=arguments.server != "gopls")
    chosen = sample(server, language, sources, arguments.functions)
    for number, function in enumerate(chosen):
        resolve(server, language, sources, function)
        counts = [len(function[key]) for key in ("callers", "uses", "undecided")]
        print(f"{number + 1}/{len(chosen)} {function['path']} {function['name']}: {counts}", file=sys.stderr, flush=True)
    for function in chosen:
        del function["column"]
    arguments.output.write_text(json.dumps({"repository": root.name, "functions": chosen}, indent=1))
    server.stop()


def read_sources(root, ending):
    """Returns the lines of the tracked files."""
    listed = subprocess.run(["git", "ls-files", "*" + ending], cwd=root, capture_output=True, text=True, check=True)
    sources = {}
    for path in listed.stdout.splitlines():
        try:
            sources[path] = (root / path).read_text().split("\n")
        except (UnicodeDecodeError, OSError):
            continue
    return sources


def sample(server, language, sources, count):
    """Returns random functions that the server knows, outside of tests, whose name occurs at least twice."""
    words = {}
    for lines in sources.values():
        for line in lines:
            for word in re.findall(r"\w+", line):
                words[word] = words.get(word, 0) + 1
    candidates = []
    for path in sorted(sources):
        if not re.search(language["test"], path):
            symbols = server.request("textDocument/documentSymbol", {"textDocument": server.document(path)}) or []
            candidates += [it for it in functions_of(language, path, sources[path], symbols) if words[it["name"]] > 1]
    random.Random(SEED).shuffle(candidates)
    known = (it for it in candidates if definitions(server, it["path"], it["line"], it["column"]))
    return list(itertools.islice(known, count))


def functions_of(language, path, lines, symbols):
    """Returns the functions with a body that are not inside of another function."""
    found = []
    for symbol in symbols:
        start = symbol["selectionRange"]["start"]
        before, after = split(lines[start["line"]], start["character"])
        name = re.search(language["declaration"], before) and re.match(r"\w+", after)
        is_test_module = symbol["kind"] == 2 and symbol["name"] in ("test", "tests")
        if symbol["kind"] in FUNCTION_KINDS:
            body = lines[symbol["range"]["start"]["line"] : symbol["range"]["end"]["line"] + 1]
            has_body = "{" in "".join(body) or path.endswith(".py")
            is_test = any("#[test]" in line or "::test]" in line for line in body)
            if name and has_body and not is_test and not name[0].startswith("__"):
                place = {"line": start["line"] + 1, "column": start["character"]}
                found.append({"path": path, "name": name[0]} | place)
        elif symbol["kind"] != INTERFACE_KIND or path.endswith(".rs"):
            found += [] if is_test_module else functions_of(language, path, lines, symbol.get("children") or [])
    return found


def resolve(server, language, sources, function):
    callers, uses, undecided = set(), set(), set()
    own = (function["path"], function["line"])
    position = server.position(function["path"], function["line"], function["column"])
    references = server.request("textDocument/references", position | {"context": {"includeDeclaration": False}})
    seen = set()
    for path, line, column in places(server, references):
        seen.add((path, line, column))
        kind = shape(language, sources, path, line, column)
        if kind is None or (path, line) == own:
            continue
        if own in definitions(server, path, line, column):
            (callers if kind == "call" else uses).add(f"{path}:{line}")
        else:
            undecided.add(f"{path}:{line}")
    for path, line, column in places_to_check(server, language, sources, function["name"], seen):
        if not definitions(server, path, line, column):
            undecided.add(f"{path}:{line}")
    function["callers"] = sorted(callers)
    function["uses"] = sorted(uses)
    function["undecided"] = sorted(undecided - callers - uses)


def split(text, column):
    return text[:column], text[column:]


def shape(language, sources, path, line, column):
    """Returns "call" or "use" for the name at a place, or nothing for declarations, imports and other files."""
    if path not in sources:
        return None
    text = sources[path][line - 1]
    before, after = split(text, column)
    if re.search(language["declaration"], before) or re.match(language["import"], text):
        return None
    is_decorator = language["id"] == "python" and re.fullmatch(r"\s*@[\w.]*", before)
    return "call" if re.match(r"\w+" + language["call"], after) or is_decorator else "use"


def places_to_check(server, language, sources, name, seen):
    """Returns the calls of the name that the server may have left out."""
    if language["left_out"] is None:
        return []
    others = (it for it in calls_of(language, sources, name) if it not in seen)
    if language["left_out"] == "files":
        return (it for it in others if it[0] not in server.known_paths)
    return itertools.islice(others, MAX_CHECKED)


def calls_of(language, sources, name):
    """Returns the places where the name is written like a call."""
    for path, lines in sources.items():
        for number, text in enumerate(lines, 1):
            if name in text:
                for match in re.finditer(rf"\b{name}\b", text):
                    if shape(language, sources, path, number, match.start()) == "call":
                        yield path, number, match.start()


def definitions(server, path, line, column):
    """Returns the paths and lines that the name at a place is defined at."""
    answer = server.request("textDocument/definition", server.position(path, line, column))
    if answer:
        server.known_paths.add(path)
    return {(path, line) for path, line, _ in places(server, answer)}


def places(server, answer):
    """Returns the path, line and column of each location in the answer; a path outside the repository is absolute."""
    found = []
    for location in [answer] if isinstance(answer, dict) else answer or []:
        uri = location.get("uri") or location["targetUri"]
        start = (location.get("range") or location["targetSelectionRange"])["start"]
        found.append((server.path_of(uri), start["line"] + 1, start["character"]))
    return found


class Server:
    """A language server that is asked one question at a time."""

    def __init__(self, command, root, settings, options):
        self.root = root
        self.settings = settings
        self.options = options
        self.number = 0
        self.is_idle = False
        self.known_paths = set()
        self.process = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def start(self, is_slow):
        folder = {"uri": self.root.as_uri(), "name": self.root.name}
        capabilities = {
            "workspace": {"configuration": True, "workspaceFolders": True},
            "textDocument": {"documentSymbol": {"hierarchicalDocumentSymbolSupport": True}},
            "experimental": {"serverStatusNotification": True},
            "general": {"positionEncodings": ["utf-32", "utf-16"]},
        }
        self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": self.root.as_uri(),
                "workspaceFolders": [folder],
                "capabilities": capabilities,
                "initializationOptions": self.options,
            },
        )
        self.notify("initialized", {})
        self.notify("workspace/didChangeConfiguration", {"settings": self.settings})
        while is_slow and not self.is_idle:
            self.read()

    def stop(self):
        self.request("shutdown", None)
        self.notify("exit", None)
        self.process.wait(60)

    def document(self, path):
        return {"uri": (self.root / path).as_uri()}

    def path_of(self, uri):
        path = pathlib.Path(re.sub("%([0-9A-Fa-f]{2})", lambda it: chr(int(it[1], 16)), uri.removeprefix("file://")))
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else str(path)

    def position(self, path, line, column):
        return {"textDocument": self.document(path), "position": {"line": line - 1, "character": column}}

    def request(self, method, parameters):
        self.number += 1
        number = self.number
        self.send({"id": number, "method": method, "params": parameters})
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                return message.get("result")

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0"} | message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def read(self):
        """Reads a message, and answers it if it is a request."""
        length = 0
        while (header := self.process.stdout.readline()) != b"\r\n":
            if not header:
                raise SystemExit("the language server ended")
            name, value = header.split(b":")
            if name.lower() == b"content-length":
                length = int(value)
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "experimental/serverStatus":
            self.is_idle = message["params"]["quiescent"]
        elif message.get("method") == "window/logMessage" and "source file" in message["params"]["message"]:
            self.is_idle = True
        elif "method" in message and "id" in message:
            self.send({"id": message["id"], "result": self.answer(message)})
        return message

    def answer(self, message):
        if message["method"] != "workspace/configuration":
            return None
        return [self.settings.get(item.get("section"), {}) for item in message["params"]["items"]]


main()
