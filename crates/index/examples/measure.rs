//! Measures how long it takes to refresh an index, to open it, and to look up five terms. Also prints the size of the
//! index on disk.
//!
//! Usage: `cargo run --release -p adjutant-index --example measure -- DIR CACHE [all|refresh|look]`
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a command-line program reads its arguments and prints"
)]

use std::path::Path;
use std::time::{Duration, Instant, SystemTime};

use index::{BuildOptions, HistoryOptions, LookOptions, Parser, Store};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let cache = arguments.next().unwrap_or_else(|| "/tmp/measure-cache".to_owned());
    let what = arguments.next().unwrap_or_else(|| "all".to_owned());
    let store = Store::new(Path::new(&cache), Path::new(&root));
    let options = || {
        let mut options = BuildOptions::new(SystemTime::now(), Parser::linked());
        let environment = process::Environment::new(std::env::vars_os());
        options.history = Some(HistoryOptions::new(environment));
        options
    };
    if what == "all" || what == "refresh" {
        let started = Instant::now();
        let done = store.refresh(&options(), &|_| {})?;
        let seconds = seconds(started);
        let entries = std::fs::read_dir(store.folder())?.flatten();
        let on_disk: u64 = entries.filter_map(|it| it.metadata().ok()).map(|it| it.len()).sum();
        println!("refresh {seconds:.3} s {done:?}, {on_disk} bytes on disk");
    }
    if what == "all" || what == "look" {
        let started = Instant::now();
        let view =
            store.view(&LookOptions::until(started + Duration::from_secs(5), Parser::linked()))?;
        println!("look {:.4} s, current: {}", seconds(started), view.freshness().is_current());
        let meta = view.meta();
        println!(
            "{} files, {} symbols, {} edges, {} terms, {} passages, {} commits",
            meta.files, meta.symbols, meta.edges, meta.terms, meta.passages, meta.commits
        );
        let started = Instant::now();
        let found: usize = ["where", "sandbox", "policy", "appli", "command"]
            .iter()
            .map(|term| view.best_postings(term).count())
            .sum();
        println!("five terms: {found} postings in {:.4} s", seconds(started));
    }
    Ok(())
}

fn seconds(since: Instant) -> f64 {
    since.elapsed().as_secs_f64()
}
