//! Tests which callers a function has: by import, scope, receiver type and file role, with the line of each call.

use index::{EdgeKind, Node, View};

use crate::tree::{built, tree};

/// Returns the calls of the symbol `qualified` that have a confidence of at least 0.5, as `path:line`.
fn callers(view: &View, qualified: &str) -> Vec<String> {
    let name = qualified.rsplit('.').next().unwrap();
    let mut found = Vec::new();
    for id in view.symbols_named(name) {
        if view.symbol(id).qualified != qualified {
            continue;
        }
        for edge in view.references_into(Node::Symbol(id)) {
            let file = match edge.from {
                Node::File(file) => file,
                Node::Symbol(symbol) => view.symbol(symbol).file,
            };
            if edge.kind == EdgeKind::Calls && edge.confidence >= 0.5 {
                found.push(format!("{}:{}", view.path(file), edge.line));
            }
        }
    }
    found.sort();
    found
}

#[track_caller]
pub(crate) fn check(files: &[(&str, &str)], qualified: &str, expected: &[&str]) {
    let tree = tree(files);
    assert_eq!(callers(&built(tree.path()), qualified), expected);
}

const CLIENT: &str = "class Base:\n    def close(self):\n        pass\n\n\nclass Client(Base):\n    def get(self):\n        pass\n\n\ndef connect() -> Client:\n    return Client()\n";

#[test]
fn every_line_of_a_call_is_kept() {
    check(
        &[("a.py", "def f():\n    pass\n\n\ndef g():\n    f()\n    f()\n")],
        "f",
        &["a.py:6", "a.py:7"],
    );
}

#[test]
fn an_alias_and_a_re_export_lead_to_the_definition() {
    check(
        &[
            ("app/__init__.py", "from .client import connect\n"),
            ("app/client.py", CLIENT),
            ("use.py", "from app import connect as c\nimport app\nc()\napp.connect()\n"),
        ],
        "connect",
        &["use.py:3", "use.py:4"],
    );
}

#[test]
fn a_relative_import_in_the_root_folder_leads_to_the_file() {
    check(
        &[
            ("__init__.py", "def connect():\n    pass\n"),
            ("client.py", "def connect():\n    pass\n"),
            ("use.py", "from . import client\nclient.connect()\n"),
            ("other/client.py", "def connect():\n    pass\n"),
        ],
        "connect",
        &["use.py:2"],
    );
    let files = [
        ("client.py", "def connect():\n    pass\n"),
        ("use.py", "from . import client\nclient.connect()\n"),
    ];
    check(&files, "connect", &["use.py:2"]);
}

#[test]
fn a_dotted_import_leads_to_the_module() {
    check(
        &[
            ("app/__init__.py", ""),
            ("app/client.py", CLIENT),
            ("use.py", "import app.client\n\napp.client.connect()\n"),
        ],
        "connect",
        &["use.py:3"],
    );
}

#[test]
fn a_receiver_has_the_type_of_its_constructor_or_annotation() {
    check(
        &[
            ("client.py", CLIENT),
            ("noise.py", "class Noise:\n    def get(self):\n        pass\n"),
            (
                "use.py",
                "from client import Client, connect\n\n\ndef f(a: Client, b):\n    a.get()\n    b.get()\n    c = Client()\n    c.get()\n    with connect() as d:\n        d.get()\n    connect().get()\n    for e in list_of():\n        e.get()\n\n\ndef list_of() -> list[Client]:\n    return []\n",
            ),
        ],
        "Client.get",
        &["use.py:10", "use.py:11", "use.py:13", "use.py:5", "use.py:8"],
    );
}

#[test]
fn a_member_has_the_type_that_is_assigned_to_it() {
    check(
        &[
            ("client.py", CLIENT),
            (
                "use.py",
                "from client import Client\n\n\nclass Job:\n    def __init__(self, other: Client):\n        self.client = Client()\n        self.other = other\n\n    @property\n    def own(self):\n        return self.client\n\n    def run(self):\n        self.client.get()\n        self.other.get()\n        self.own.get()\n",
            ),
        ],
        "Client.get",
        &["use.py:14", "use.py:15", "use.py:16"],
    );
}

#[test]
fn a_method_is_searched_in_the_bases() {
    check(
        &[
            ("client.py", CLIENT),
            (
                "use.py",
                "from client import Client\n\n\nclass Own(Client):\n    def close(self):\n        super().close()\n\n    def end(self):\n        self.close()\n\n\nClient().close()\n",
            ),
        ],
        "Base.close",
        &["use.py:12", "use.py:6"],
    );
}

#[test]
fn a_builtin_is_not_a_method_of_the_tree() {
    let files = [
        (
            "nodes.py",
            "class Node:\n    def super(self):\n        pass\n\n    def items(self):\n        pass\n",
        ),
        (
            "use.py",
            "class A:\n    def f(self, d):\n        super().f()\n        d.items()\n        {}.items()\n        super(A, self).f()\n",
        ),
    ];
    check(&files, "Node.super", &[]);
    check(&files, "Node.items", &[]);
}

#[test]
fn an_absolute_import_does_not_refer_to_a_file_in_a_package() {
    check(
        &[
            ("app/__init__.py", ""),
            ("app/typing.py", "def cast(a):\n    return a\n"),
            ("app/use.py", "from typing import cast\n\ncast(1)\n"),
        ],
        "cast",
        &[],
    );
}

#[test]
fn only_tests_refer_to_definitions_in_tests() {
    let files = [
        (
            "tests/test_a.py",
            "class Helper:\n    def prepare_all(self):\n        pass\n\n\ndef test_it(helper):\n    Helper().prepare_all()\n",
        ),
        ("app.py", "def run(thing):\n    thing.prepare_all()\n"),
    ];
    check(&files, "Helper.prepare_all", &["tests/test_a.py:7"]);
}

#[test]
fn a_fixture_gives_the_type_of_a_parameter() {
    check(
        &[
            ("client.py", CLIENT),
            (
                "tests/conftest.py",
                "import pytest\n\nfrom client import Client\n\n\n@pytest.fixture\ndef http():\n    client = Client()\n    yield client\n",
            ),
            ("tests/test_http.py", "def test_get(http):\n    http.get()\n"),
        ],
        "Client.get",
        &["tests/test_http.py:2"],
    );
}

#[test]
fn a_local_name_hides_an_imported_one() {
    check(
        &[
            ("a.py", "def save():\n    pass\n"),
            (
                "b.py",
                "from a import save\n\n\ndef f(save):\n    save()\n\n\ndef g():\n    save()\n",
            ),
        ],
        "save",
        &["b.py:9"],
    );
}

#[test]
fn several_types_share_the_confidence() {
    let one = "class One:\n    def start_up(self):\n        pass\n";
    let two = "class Two:\n    def start_up(self):\n        pass\n";
    let source =
        "from one import One\nfrom two import Two\n\n\ndef f(a: One | Two):\n    a.start_up()\n";
    check(&[("one.py", one), ("two.py", two), ("use.py", source)], "One.start_up", &[]);
}

const SERVER: &str = "export class Server {\n  private log: Logger\n  constructor(private store: Store) {\n    this.log = new Logger()\n  }\n  run(): Server {\n    this.store.load()\n    this.log.note()\n    return this\n  }\n}\nexport class Logger {\n  note() {}\n}\nexport class Store {\n  load() {}\n}\nexport const create = (): Server => new Server(new Store())\nexport default create\n";

#[test]
fn typescript_members_have_their_declared_types() {
    check(&[("src/server.ts", SERVER)], "Store.load", &["src/server.ts:7"]);
    check(&[("src/server.ts", SERVER)], "Logger.note", &["src/server.ts:8"]);
}

#[test]
fn typescript_exports_are_followed() {
    let files = [
        ("src/server.ts", SERVER),
        ("src/index.ts", "export * from './server'\nexport * as all from './server'\n"),
        (
            "src/use.ts",
            "import make from './server.js'\nimport { create as c, all } from './index'\nimport * as ns from '.'\n\nmake().run()\nc().run()\nns.create()\nall.create().run()\n",
        ),
    ];
    check(&files, "create", &["src/use.ts:5", "src/use.ts:6", "src/use.ts:7", "src/use.ts:8"]);
    check(&files, "Server.run", &["src/use.ts:5", "src/use.ts:6", "src/use.ts:8"]);
}

#[test]
fn a_default_import_is_not_the_module() {
    let files = [
        (
            "src/index.ts",
            "export const retry = () => {}\nconst main = { retry() {} }\nexport default main\n",
        ),
        ("src/use.ts", "import main, * as all from './index'\n\nmain.retry()\nall.retry()\n"),
    ];
    check(&files, "main.retry", &["src/use.ts:3"]);
    check(&files, "retry", &["src/use.ts:4"]);
}

#[test]
fn the_title_of_a_test_is_not_a_definition() {
    check(
        &[
            ("src/path.ts", "export function split() {}\n"),
            (
                "src/path.test.ts",
                "import { split } from './path'\n\ndescribe('split', () => {\n  it('splits', () => {\n    split()\n  })\n})\n",
            ),
        ],
        "split",
        &["src/path.test.ts:5"],
    );
}

#[test]
fn rust_re_exports_are_followed() {
    check(
        &[
            ("src/lib.rs", "pub mod store;\nmod view;\n"),
            ("src/store.rs", "mod disk;\npub use disk::open_store;\n"),
            ("src/store/disk.rs", "pub fn open_store() {}\n"),
            ("src/other.rs", "pub fn open_store() {}\n"),
            (
                "src/view.rs",
                "use crate::store::open_store as open;\n\nfn view() {\n    open();\n}\n",
            ),
        ],
        "open_store",
        &["src/view.rs:4"],
    );
}

#[test]
fn a_crate_whose_folder_has_a_hyphen_is_imported_with_an_underscore() {
    check(
        &[
            ("crates/app-core/src/lib.rs", "mod lock;\npub use lock::Lock;\n"),
            (
                "crates/app-core/src/lock.rs",
                "pub struct Lock;\n\nimpl Lock {\n    pub fn from_toml() {}\n}\n",
            ),
            (
                "crates/other/src/lib.rs",
                "pub struct Other;\n\nimpl Other {\n    pub fn from_toml() {}\n}\n",
            ),
            (
                "crates/app/src/main.rs",
                "use app_core::Lock;\nuse other::Other;\n\nfn main() {\n    Lock::from_toml();\n    Other::from_toml();\n}\n",
            ),
        ],
        "Lock.from_toml",
        &["crates/app/src/main.rs:5"],
    );
}

#[test]
fn the_parameter_of_a_callback_is_an_element_of_the_array() {
    let client = "export class Client {\n  send() {}\n}\n\nexport class Other {\n  send() {}\n}\n";
    let user = "import { Client } from './client';\n\nexport function run(all: Client[]) {\n  all.map(async (one) => {\n    await one.send();\n  });\n  all.filter((it) => it).forEach((it) => it.send());\n  for (const each of all) {\n    each.send();\n  }\n}\n";
    let files = [("src/client.ts", client), ("src/use.ts", user)];
    check(&files, "Client.send", &["src/use.ts:5", "src/use.ts:7", "src/use.ts:9"]);
    check(&files, "Other.send", &[]);
}
