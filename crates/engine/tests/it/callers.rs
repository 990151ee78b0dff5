//! Tests which lines are callers of a definition, and whether the list is complete.

use std::fs::{self, File};
use std::time::{Duration, Instant, SystemTime};

use engine::{CallSite, Callers, Source, ToQuote, callers, find_symbols};
use index::{BuildOptions, Parser, build_in_memory};

fn callers_of(name: &str, files: &[(&str, &str)]) -> Callers {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::write(folder.path().join(path), text).unwrap();
    }
    let options = BuildOptions::new(SystemTime::now(), Parser::linked());
    let view = build_in_memory(folder.path(), &options).unwrap();
    let source = Source {
        root: folder.path(),
        admits: &|_| true,
        open: &|path| File::open(folder.path().join(path)),
        to_quote: &|_| ToQuote::Nothing,
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    callers(&view, &source, &find_symbols(&view, name), deadline).unwrap()
}

fn places(sites: &[CallSite]) -> Vec<String> {
    sites.iter().map(|site| format!("{}:{}", site.caller.path, site.line)).collect()
}

const COLLECTOR: &str = "class Collector:\n    def collect(self):\n        pass\n\n\ndef delete():\n    collector = Collector()\n    collector.collect()\n";

#[test]
fn a_call_of_a_standard_module_is_not_a_caller() {
    let files = [
        ("app/deletion.py", COLLECTOR),
        ("app/memory.py", "import gc\n\n\ndef free():\n    gc.collect()\n"),
    ];
    let found = callers_of("Collector.collect", &files);
    assert_eq!(places(&found.certain), ["app/deletion.py:8"]);
    assert_eq!(places(&found.possible), Vec::<String>::new());
    assert_eq!((found.about(), found.is_stopped), (1, false));
}

#[test]
fn a_call_of_a_method_of_another_type_is_not_a_caller() {
    let other = "class Sweeper:\n    def collect(self):\n        pass\n\n\ndef sweep(sweeper: Sweeper):\n    sweeper.collect()\n";
    let files = [("app/deletion.py", COLLECTOR), ("app/sweeper.py", other)];
    let found = callers_of("Collector.collect", &files);
    assert_eq!(places(&found.certain), ["app/deletion.py:8"]);
    assert_eq!((found.about(), found.is_stopped), (1, false));
}

#[test]
fn a_line_that_is_not_resolved_is_a_possible_caller_and_the_list_is_incomplete() {
    let files = [
        ("app/deletion.py", COLLECTOR),
        (
            "app/run.py",
            "def run(thing):\n    thing.parts[0].collect()\n\n\n# collect() is called above\n",
        ),
        ("app/page.js", "function load() {\n  collect();\n}\n"),
    ];
    let found = callers_of("Collector.collect", &files);
    assert_eq!(places(&found.possible), ["app/run.py:2"]);
    assert_eq!((found.about(), found.is_stopped), (2, false));
}

#[test]
fn a_line_that_only_its_text_shows_is_marked_as_such() {
    let files = [
        ("app/deletion.py", COLLECTOR),
        ("app/page.jinja", "{% for part in parts %}{{ part.collect() }}{% endfor %}\n"),
    ];
    let found = callers_of("Collector.collect", &files);
    assert_eq!(places(&found.possible), ["app/page.jinja:1"]);
    assert!(!found.possible[0].has_edge);
}
