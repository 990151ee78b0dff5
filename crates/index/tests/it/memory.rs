//! Tests that a build with little memory produces the same snapshot, and leaves no temporary files.

use std::fs;
use std::path::Path;

use index::{BuildOptions, Store};

use crate::tree::{options, put, tree};

/// Writes packages whose files import and call each other, in several languages.
fn write_packages(root: &Path, n_packages: usize) {
    for package in 0..n_packages {
        let next = (package + 1) % n_packages;
        put(root, &format!("p{package}/__init__.py"), "from .client import Client\n");
        put(
            root,
            &format!("p{package}/client.py"),
            format!(
                "from p{next}.server import Server\n\n\nclass Client:\n    def send_{package}(self, word_{package}):\n        \
                 return Server().receive(word_{package})\n"
            ),
        );
        put(
            root,
            &format!("p{package}/server.py"),
            "class Server:\n    def receive(self, message):\n        return self.parse(message)\n\n    \
             def parse(self, message):\n        return message.strip()\n",
        );
        put(
            root,
            &format!("p{package}/tests/test_client.py"),
            format!(
                "from p{package} import Client\n\n\ndef test_send():\n    Client().send_{package}('x')\n"
            ),
        );
        put(
            root,
            &format!("go/m{package}/main.go"),
            "package main\n\nfunc main() { helper() }\n\nfunc helper() {}\n",
        );
        put(
            root,
            &format!("web/v{package}.ts"),
            format!("import {{ show }} from './v{next}';\nexport function show() {{ show(); }}\n"),
        );
        put(
            root,
            &format!("docs/page{package}.md"),
            format!("Some words about topic {package}.\n"),
        );
    }
}

/// Builds the index and returns the bytes of the snapshot.
fn snapshot(root: &Path, change: impl Fn(&mut BuildOptions)) -> Vec<u8> {
    let cache = tempfile::tempdir().unwrap();
    let store = Store::new(cache.path(), root);
    let mut options = options();
    options.now = std::time::SystemTime::UNIX_EPOCH;
    change(&mut options);
    store.refresh(&options, &|_| {}).unwrap();
    let names = fs::read_dir(store.folder()).unwrap().map(|entry| entry.unwrap().file_name());
    for name in names.filter_map(|name| name.into_string().ok()) {
        assert!(!name.ends_with(".tmp"), "`{name}` was not removed");
    }
    fs::read(store.snapshot_path()).unwrap()
}

#[test]
fn a_build_with_little_memory_gives_the_same_snapshot() {
    let tree = tree(&[]);
    write_packages(tree.path(), 150);
    let expected = snapshot(tree.path(), |_| {});
    for memory in [1, 64 << 10, 1 << 20] {
        let found = snapshot(tree.path(), |options| options.memory = memory);
        assert!(found == expected, "the snapshot differs with {memory} bytes of memory");
    }
}

#[test]
fn the_number_of_threads_does_not_change_the_snapshot() {
    let tree = tree(&[]);
    write_packages(tree.path(), 150);
    let expected = snapshot(tree.path(), |options| options.access.threads = 1);
    for threads in [2, 5] {
        let found = snapshot(tree.path(), |options| options.access.threads = threads);
        assert!(found == expected, "the snapshot differs with {threads} threads");
    }
}
