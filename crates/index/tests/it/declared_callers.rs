//! Tests which callers a function has in Rust and Go, in which the types of receivers are declared.

use crate::callers::check;

const STORE: &str = "pub struct Store {\n    pub log: Log,\n}\n\nimpl Store {\n    pub fn new() -> Self {\n        Self { log: Log::default() }\n    }\n\n    pub fn flush(&self) {}\n\n    pub fn log(&self) -> &Log {\n        &self.log\n    }\n}\n\n#[derive(Default)]\npub struct Log;\n\nimpl Log {\n    pub fn flush(&self) {}\n}\n\npub fn open() -> Option<Store> {\n    Some(Store::new())\n}\n";

fn in_crate(main: &str, qualified: &str, expected: &[&str]) {
    let files = [
        ("src/lib.rs", "pub mod store;\nmod app;\n"),
        ("src/store.rs", STORE),
        ("src/app.rs", main),
    ];
    check(&files, qualified, expected);
}

#[test]
fn in_rust_a_call_on_a_value_of_another_type_is_not_a_caller() {
    let app = "use crate::store::{self, Log, Store};\n\nfn f(a: &Store, b: &mut Log) {\n    a.flush();\n    b.flush();\n    let c = Store::new();\n    c.flush();\n    if let Some(d) = store::open() {\n        d.flush();\n    }\n    store::open().unwrap().log().flush();\n    c.log.flush();\n}\n";
    in_crate(app, "Store.flush", &["src/app.rs:4", "src/app.rs:7", "src/app.rs:9"]);
    in_crate(app, "Log.flush", &["src/app.rs:11", "src/app.rs:12", "src/app.rs:5"]);
}

#[test]
fn in_rust_a_field_an_alias_and_a_wrapper_have_the_type_that_they_name() {
    let app = "use std::rc::Rc;\n\nuse crate::store::Store;\n\ntype Shared = Rc<Store>;\n\nstruct App {\n    store: Shared,\n    all: Vec<Store>,\n}\n\nimpl App {\n    fn run(&self) {\n        self.store.flush();\n        for one in &self.all {\n            one.flush();\n        }\n        self.all.iter().for_each(|it| it.flush());\n        let own = Rc::new(Store::new());\n        own.flush();\n    }\n}\n";
    let expected = ["src/app.rs:14", "src/app.rs:16", "src/app.rs:18", "src/app.rs:20"];
    in_crate(app, "Store.flush", &expected);
}

#[test]
fn in_rust_a_type_parameter_has_the_members_of_its_bound() {
    let lib = "pub trait Sink {\n    fn put(&self);\n}\n\nfn write<T: Sink>(sink: &T) {\n    sink.put();\n}\n\nfn send(sink: &dyn Sink, other: impl Sink) {\n    sink.put();\n    other.put();\n}\n";
    check(&[("src/lib.rs", lib)], "Sink.put", &["src/lib.rs:10", "src/lib.rs:11", "src/lib.rs:6"]);
}

#[test]
fn in_rust_a_value_of_another_crate_has_no_callers_here() {
    let app = "use std::io::Stdout;\n\nfn f(out: Stdout) {\n    out.flush();\n    let mut options = git2::Options::new();\n    options.flush();\n    let other = std::io::stdout();\n    other.flush();\n}\n";
    in_crate(app, "Store.flush", &[]);
}

#[test]
fn in_rust_a_qualified_call_refers_to_that_type() {
    let app = "use crate::store::Store;\n\nstruct Other;\n\nimpl Other {\n    fn new() -> Self {\n        Self\n    }\n}\n\nfn f() {\n    Other::new();\n    Store::new();\n    crate::store::Store::new();\n}\n";
    in_crate(app, "Store.new", &["src/app.rs:13", "src/app.rs:14", "src/store.rs:25"]);
    in_crate(app, "Other.new", &["src/app.rs:12"]);
}

const QUEUE: &str = "package queue\n\ntype Queue struct {\n\tLog *Log\n}\n\nfunc New() (*Queue, error) {\n\treturn &Queue{}, nil\n}\n\nfunc (q *Queue) Flush() {\n\tq.Log.Flush()\n}\n\nfunc (q *Queue) Logger() *Log { return q.Log }\n\ntype Log struct{}\n\nfunc (l *Log) Flush() {}\n";

#[test]
fn in_go_a_receiver_has_the_type_of_its_declaration_or_value() {
    let app = "package app\n\nimport (\n\t\"bufio\"\n\n\t\"example.com/x/queue\"\n)\n\ntype App struct {\n\tqueue.Queue\n\tall []*queue.Queue\n}\n\nfunc (a *App) Run(w *bufio.Writer, q *queue.Queue) error {\n\tq.Flush()\n\tw.Flush()\n\tother, err := queue.New()\n\tif err != nil {\n\t\treturn err\n\t}\n\tother.Flush()\n\tother.Logger().Flush()\n\tfor _, one := range a.all {\n\t\tone.Flush()\n\t}\n\tlog := &queue.Log{}\n\tlog.Flush()\n\ta.Flush()\n\treturn nil\n}\n";
    let files = [("queue/queue.go", QUEUE), ("app/app.go", app)];
    check(
        &files,
        "Queue.Flush",
        &["app/app.go:15", "app/app.go:21", "app/app.go:24", "app/app.go:28"],
    );
    check(&files, "Log.Flush", &["app/app.go:22", "app/app.go:27", "queue/queue.go:12"]);
}

#[test]
fn in_go_a_local_name_and_a_built_in_function_are_not_callers_of_a_method() {
    let app = "package app\n\ntype Table struct{}\n\nfunc (t *Table) string() {}\n\nfunc (t *Table) style() {}\n\nfunc f(t *Table, style int) {\n\t_ = string(rune(style))\n\tt.string()\n}\n";
    check(&[("app/app.go", app)], "Table.string", &["app/app.go:11"]);
    check(&[("app/app.go", app)], "Table.style", &[]);
}

#[test]
fn in_go_every_platform_has_its_definition() {
    let files = [
        ("app/kill_linux.go", "package app\n\nfunc kill() {}\n"),
        ("app/kill_windows.go", "package app\n\nfunc kill() {}\n"),
        ("app/app.go", "package app\n\nfunc stop() {\n\tkill()\n}\n"),
    ];
    check(&files, "kill", &["app/app.go:4", "app/app.go:4"]);
}
