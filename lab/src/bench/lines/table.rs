//! Formats the results.

use super::super::localise::score::Group;
use super::{Counts, Measured};

const HEADER: &str = "group                n  files: precision recall cited   lines: precision recall quoted   regions  nothing quoted   characters: median  90 %\n";

pub(super) fn table(all: &[Measured]) -> String {
    let mut out = String::from(HEADER);
    for (group, name) in [
        (Some(Group::Python), "Python"),
        (Some(Group::Other), "other languages"),
        (Some(Group::Chinese), "Chinese prompts"),
        (None, "all"),
    ] {
        let is_in = |one: &&Measured| group.is_none_or(|group| one.group == group);
        let some: Vec<&Measured> = all.iter().filter(is_in).collect();
        if !some.is_empty() {
            out += &row(name, &some);
        }
    }
    out
}

pub(super) fn case(id: &str, one: &Measured) -> String {
    let lines = one.lines.unwrap_or_default();
    format!(
        "{id:40} files {}/{} of {}, lines {}/{} of {}, {} characters",
        one.files.both,
        one.files.shown,
        one.files.right,
        lines.both,
        lines.shown,
        lines.right,
        one.characters
    )
}

fn row(name: &str, some: &[&Measured]) -> String {
    let n = some.len() as f64;
    let files = sum(some.iter().map(|one| one.files));
    // The recall is averaged over prompts, so that a prompt with many correct files counts as much as a prompt with
    // one.
    let recall = some.iter().map(|one| share(one.files.both, one.files.right)).sum::<f64>() / n;
    let with_lines: Vec<Counts> = some.iter().filter_map(|one| one.lines).collect();
    let lines = sum(with_lines.iter().copied());
    let line_recall = with_lines.iter().map(|lines| share(lines.both, lines.right)).sum::<f64>()
        / with_lines.len().max(1) as f64;
    let mut characters: Vec<usize> = some.iter().map(|one| one.characters).collect();
    characters.sort_unstable();
    format!(
        "{name:18} {:4} {:17.2} {recall:6.2} {:5.1} {:18.2} {line_recall:6.2} {:6.1} {:9.1} {:15} {:20} {:5}\n",
        some.len(),
        share(files.both, files.shown),
        files.shown as f64 / n,
        share(lines.both, lines.shown),
        lines.shown as f64 / with_lines.len().max(1) as f64,
        some.iter().map(|one| one.n_regions).sum::<usize>() as f64 / n,
        with_lines.iter().filter(|lines| lines.shown == 0).count(),
        characters[characters.len() / 2],
        characters[characters.len() * 9 / 10],
    )
}

fn sum(all: impl Iterator<Item = Counts>) -> Counts {
    all.fold(Counts::default(), |sum, one| Counts {
        shown: sum.shown + one.shown,
        right: sum.right + one.right,
        both: sum.both + one.both,
    })
}

fn share(count: usize, of: usize) -> f64 {
    count as f64 / of.max(1) as f64
}
