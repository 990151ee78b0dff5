//! Assembles the facts of all files into the bytes of one snapshot.
//!
//! This module does no I/O. Files are ordered by path, so that the same tree always produces the same snapshot.

mod annotations;
mod bindings;
mod edges;
mod imports;
mod interner;
mod modules;
mod named_files;
mod postings;
mod rank;
mod resolve;
mod standard_names;
mod symbols;
mod symbols_by_key;
mod tables;
mod tested;
mod typed;
mod untyped;
mod values;

use crate::codec::{put_text, put_varint, zigzag};
use crate::container::ContainerWriter;
use crate::facts::FactsReader;
use crate::history::{FileSummary, History, HistoryState, summarise};
use crate::layout::N_SECTIONS;
use crate::role::{Role, role_of};
use crate::threads;
use edges::Graph;
pub(crate) use interner::prefix;
use postings::Postings;
use symbols::SymbolTable;

/// A file of the tree and its encoded facts.
pub(crate) struct FileInput<'a> {
    /// The path relative to the root, separated by `/`.
    pub(crate) path: &'a str,
    pub(crate) stamp: FileStamp,
    pub(crate) hash: [u8; 16],
    pub(crate) record: &'a [u8],
}

/// The size and modification time of a file. A file with an unchanged stamp is treated as unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileStamp {
    /// The modification time, in nanoseconds since the Unix epoch.
    pub(crate) modified: i64,
    pub(crate) size: u64,
}

/// The input from which a snapshot is assembled. Files are sorted by path.
pub(crate) struct Assembly<'a> {
    pub(crate) root: &'a str,
    /// The build time, in seconds since the Unix epoch.
    pub(crate) built_at: i64,
    pub(crate) files: Vec<FileInput<'a>>,
    /// Directories with their modification times, in nanoseconds since the Unix epoch.
    pub(crate) directories: Vec<(String, i64)>,
    pub(crate) history: Option<&'a History>,
    /// Messages about files that were not indexed, or only in part.
    pub(crate) problems: Vec<String>,
    pub(crate) threads: usize,
}

/// The data about one file that the graph and the file table need.
pub(super) struct FileRow<'a> {
    path: &'a str,
    role: Role,
    head: crate::facts::FactsHead,
    first_symbol: u32,
    n_symbols: u32,
}

/// Returns the bytes of a snapshot.
pub(crate) fn assemble(assembly: &Assembly<'_>) -> Vec<u8> {
    let summaries = summaries(assembly);
    // The postings and the graph are independent of each other, and each takes about half of the time.
    let (text, (rows, symbols, graph)) = if assembly.threads > 1 {
        std::thread::scope(|scope| {
            let text = threads::start(scope, || Postings::of(assembly, &summaries));
            let structure = structure(assembly);
            (text.join().unwrap_or_default(), structure)
        })
    } else {
        (Postings::of(assembly, &summaries), structure(assembly))
    };
    write(assembly, &rows, symbols, &graph, text, &summaries)
}

fn structure<'a>(assembly: &Assembly<'a>) -> (Vec<FileRow<'a>>, SymbolTable<'a>, Graph) {
    let (rows, symbols) = SymbolTable::collect(assembly);
    let graph = resolve::resolve(assembly, &rows, &symbols);
    (rows, symbols, graph)
}

fn summaries(assembly: &Assembly<'_>) -> Vec<FileSummary> {
    let file_of = |path: &str| {
        assembly.files.binary_search_by(|file| file.path.cmp(path)).ok().map(|file| file as u32)
    };
    match assembly.history {
        Some(history) => summarise(history, assembly.files.len(), file_of),
        None => vec![FileSummary::default(); assembly.files.len()],
    }
}

fn write(
    assembly: &Assembly<'_>,
    rows: &[FileRow<'_>],
    symbols: SymbolTable<'_>,
    graph: &Graph,
    text: Postings,
    summaries: &[FileSummary],
) -> Vec<u8> {
    let ranks = rank::file_ranks(graph, rows, &symbols);
    let (files, file_texts) = tables::files(assembly, rows, &text, summaries, &ranks);
    let profiles = tables::profiles(rows, &text);
    let meta = meta(assembly, rows.len(), symbols.len(), graph.len(), &text);
    let [out_starts, out_edges, in_starts, in_edges] = graph.sections(rows.len() + symbols.len());
    let [co_starts, co_changes] = tables::co_changes(summaries);
    let [touch_starts, touches] = tables::touches(summaries);
    let mut writer = ContainerWriter::new();
    let mut n_written = 0;
    let mut put = |section: &[u8]| {
        n_written = writer.section(section) + 1;
    };
    put(&meta);
    put(&files);
    put(&file_texts);
    let (symbol_rows, symbol_texts) = tables::symbols(&symbols);
    put(&symbol_rows);
    put(&symbol_texts);
    put(&text.passages);
    for section in text.terms.finish() {
        put(&section);
    }
    put(&text.passage_postings);
    put(&text.symbol_postings);
    for dictionary in [symbols.names_dictionary(), tables::file_names(rows)] {
        for section in dictionary.finish() {
            put(&section);
        }
    }
    for section in
        [out_starts, out_edges, in_starts, in_edges, co_starts, co_changes, touch_starts, touches]
    {
        put(&section);
    }
    for section in tables::directories(&assembly.directories) {
        put(&section);
    }
    put(&tables::newest_files(&assembly.files));
    put(&profiles);
    debug_assert_eq!(n_written, N_SECTIONS);
    writer.finish()
}

fn meta(
    assembly: &Assembly<'_>,
    n_files: usize,
    n_symbols: usize,
    n_edges: usize,
    text: &Postings,
) -> Vec<u8> {
    let mut out = Vec::new();
    put_text(&mut out, assembly.root.as_bytes());
    put_text(&mut out, assembly.history.map_or("", |history| &history.head).as_bytes());
    out.push(assembly.history.map_or(HistoryState::Absent, |history| history.state).code());
    put_varint(&mut out, assembly.history.map_or(0, |history| history.commits.len()) as u64);
    put_varint(&mut out, zigzag(assembly.built_at));
    for count in [n_files, n_symbols, n_edges, text.terms.len(), text.n_passages as usize] {
        put_varint(&mut out, count as u64);
    }
    put_varint(&mut out, u64::from(text.n_text_files));
    put_varint(&mut out, text.passage_length);
    for total in text.field_totals {
        put_varint(&mut out, total);
    }
    put_varint(&mut out, assembly.problems.len() as u64);
    for problem in &assembly.problems {
        put_text(&mut out, problem.as_bytes());
    }
    out
}

fn head_and_role(file: &FileInput<'_>) -> (crate::facts::FactsHead, Role) {
    let head = FactsReader::new(file.record).head;
    (head, role_of(file.path, head.mark, head.language.is_some()))
}
