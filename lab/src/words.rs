//! `cargo xtask words --clones DIR [--without N/M] [--out FILE]`: generates the table that translates Chinese words to
//! code words (English words that are used in code).
//!
//! The table is learned from public repositories at fixed commits (`words/corpora.txt`). The sources are Chinese commit
//! subjects with the files that the commits changed, Chinese comments and labels with the code next to them, and
//! translations. The same clones produce the same bytes. `--without 1/2` skips every second corpus, so that the table
//! can be evaluated on the skipped corpora.

mod align;
mod clone;
mod lexicon;
mod lines;
mod locale;
mod pairs;
mod table;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::output::print_message;
use clone::Clone;
use pairs::Pairs;

/// The list of corpora, one per line: `owner/name commit licence`.
const CORPORA: &str = include_str!("words/corpora.txt");
const OUT: &str = "crates/engine/src/query/learned.txt";

struct Options {
    clones: PathBuf,
    out: PathBuf,
    /// If this is `(n, m)`, every corpus whose index modulo `m` is `n` is skipped. The first corpus has index 0.
    without: Option<(usize, usize)>,
}

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let Some(options) = parse(arguments) else {
        print_message("usage: cargo xtask words --clones DIR [--without N/M] [--out FILE]");
        return ExitCode::from(2);
    };
    match learn(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_message(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn parse(arguments: &[&str]) -> Option<Options> {
    let mut clones = None;
    let mut options =
        Options { clones: PathBuf::new(), out: crate::root().join(OUT), without: None };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match *argument {
            "--clones" => clones = Some(PathBuf::from(rest.next()?)),
            "--out" => options.out = rest.next()?.into(),
            "--without" => {
                let (n, m) = rest.next()?.split_once('/')?;
                options.without = Some((n.parse().ok()?, m.parse().ok()?));
            }
            _ => return None,
        }
    }
    options.clones = clones?;
    Some(options)
}

fn learn(options: &Options) -> Result<(), String> {
    let mut pairs = Pairs::default();
    for (number, (name, commit)) in corpora().enumerate() {
        if options.without.is_some_and(|(n, m)| number % m.max(1) == n) {
            continue;
        }
        let clone = Clone::find(&options.clones, name, commit)?;
        let before = pairs.len();
        pairs.next_corpus();
        mine(&clone, &mut pairs)?;
        print_message(&format!("{name}: {} pairs", pairs.len() - before));
    }
    let lexicon = lexicon::discover(&pairs);
    print_message(&format!("{} Chinese words", lexicon.len()));
    let aligned = align::align(&pairs, &lexicon);
    let text = table::render(&aligned, &lexicon, &pairs);
    print_message(&format!("{} lines, {} bytes", text.lines().count(), text.len()));
    std::fs::write(&options.out, text)
        .map_err(|error| format!("cannot write `{}`: {error}", options.out.display()))
}

/// Returns the names and commits of the corpora.
fn corpora() -> impl Iterator<Item = (&'static str, &'static str)> {
    CORPORA
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| Some((line.split(' ').next()?, line.split(' ').nth(1)?)))
}

fn mine(clone: &Clone, pairs: &mut Pairs) -> Result<(), String> {
    clone.for_each_commit(|subject, paths| pairs.subject(subject, paths))?;
    let mut locales = locale::Locales::default();
    let wanted = |path: &str| lines::is_read(path) || locale::is_locale(path);
    clone.for_each_file(wanted, |path, text| {
        if locale::is_locale(path) {
            locales.add(path, text);
        }
        if lines::is_read(path) {
            lines::read(text, |chinese, english| pairs.line(chinese, english));
        }
    })?;
    locales.for_each_pair(|chinese, english| pairs.line(chinese, &[english]));
    Ok(())
}

/// Returns the git directory of the clone of `owner/name`, or `None` if there is no clone.
fn git_directory(clones: &Path, name: &str) -> Option<PathBuf> {
    let folder = clones.join(name.replace('/', "+"));
    ["repo/.git", "repo", ".git", ""]
        .iter()
        .map(|inner| folder.join(inner))
        .find(|path| path.join("objects").is_dir())
}
