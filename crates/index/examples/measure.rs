//! Builds an index in memory and says what it cost: `cargo run --release --example measure -- DIR [term…]`.
#![expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program for people to run by hand, at the edge")]

use std::path::Path;
use std::time::{Instant, SystemTime};

use index::{BuildOptions, HistoryOptions, Node, build_in_memory};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let root = arguments.next().unwrap_or_else(|| ".".to_owned());
    let mut options = BuildOptions::new(SystemTime::now());
    options.history = Some(HistoryOptions::new(process::Environment::new(std::env::vars_os())));
    let started = Instant::now();
    let view = build_in_memory(Path::new(&root), &options)?;
    let meta = view.meta();
    println!("built in {:.2} s: {} bytes", started.elapsed().as_secs_f64(), view.size());
    println!(
        "{} files, {} symbols, {} edges, {} terms, {} passages, {} commits ({:?}), problems {:?}",
        meta.files, meta.symbols, meta.edges, meta.terms, meta.passages, meta.commits, meta.history, meta.problems
    );
    for term in arguments {
        println!("{term}: {} files, {} passages", view.postings(&term).count(), view.passage_postings(&term).count());
        for id in view.symbols_named_like(&term).into_iter().take(5) {
            let symbol = view.symbol(id);
            println!("  {} {} {}:{}", symbol.kind.name(), symbol.qualified, view.path(symbol.file), symbol.lines.start());
            for edge in view.edges_into(Node::Symbol(id)).take(6) {
                let from = match edge.from {
                    Node::File(file) => view.path(file).to_owned(),
                    Node::Symbol(symbol) => view.symbol(symbol).qualified.to_owned(),
                };
                println!("    {} by {from} line {} ({:.2})", edge.kind.name(), edge.line, edge.confidence);
            }
        }
    }
    Ok(())
}
