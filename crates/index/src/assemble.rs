//! Assembles the facts of all files (definitions, references, imports and terms) into one snapshot.
//!
//! Files are ordered by path, so that the same tree always produces the same snapshot. The fact records are read one
//! after another, and data that does not fit in memory is written to temporary files ([`crate::spill`]).

mod annotations;
mod bindings;
mod edges;
mod file_facts;
mod imports;
mod key_table;
mod modules;
mod named_files;
mod packages;
mod paths;
mod postings;
mod rank;
mod resolve;
mod standard_names;
mod symbols;
mod symbols_by_name;
mod tables;
mod term_runs;
mod tested;
mod text_part;
mod typed;
mod untyped;
mod values;

use std::io;

use crate::build::{Gathered, Pauses};
use crate::codec::{put_text, put_varint, zigzag};
use crate::container::ContainerStream;
use crate::fact_store::{FactStore, RecordLocation, RecordReader};
use crate::facts::FactsReader;
use crate::history::{History, HistoryState, Summaries};
use crate::layout::N_SECTIONS;
use crate::snapshot::Snapshot;
use crate::spill::{Section, Spill};
use crate::threads;
use edges::Graph;
use paths::FileTable;
pub(crate) use paths::{Paths, folder_of};
use postings::Postings;
use rank::Links;
use resolve::Budget;
use symbols::SymbolTable;
use tables::Tables;
pub(crate) use tables::{directories, newest_files};

/// The size and modification time of a file. A file with an unchanged stamp is treated as unchanged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileStamp {
    /// The modification time, in nanoseconds since the Unix epoch.
    pub(crate) modified: i64,
    pub(crate) size: u64,
}

/// The files of a tree, sorted by path, and the locations of their facts.
#[derive(Default)]
pub(crate) struct TreeFiles {
    pub(crate) paths: Paths,
    stamps: Vec<FileStamp>,
    hashes: Vec<[u8; 16]>,
    pub(crate) locations: Vec<RecordLocation>,
}

impl TreeFiles {
    /// Returns the files whose content was gathered. `paths` contains the paths of all scanned files.
    pub(crate) fn of<P: AsRef<str>>(paths: impl Iterator<Item = P>, gathered: &Gathered) -> Self {
        let mut found = Self::default();
        for (path, content) in paths.zip(&gathered.contents) {
            if let Some(content) = content {
                found.paths.push(path.as_ref());
                found.stamps.push(content.stamp);
                found.hashes.push(content.key.hash);
                found.locations.push(content.location);
            }
        }
        found
    }
}

/// The input from which a snapshot is assembled. Files are sorted by path.
pub(crate) struct Tree<'a> {
    pub(crate) root: &'a str,
    /// The build time, in seconds since the Unix epoch.
    pub(crate) built_at: i64,
    pub(crate) files: TreeFiles,
    /// The store that contains the facts of the files.
    pub(crate) facts: &'a FactStore,
    /// Directories with their modification times, in nanoseconds since the Unix epoch, sorted by path.
    pub(crate) directories: Vec<(String, i64)>,
    pub(crate) history: Option<&'a History>,
    /// Messages about files that were not indexed completely.
    pub(crate) problems: Vec<String>,
    pub(crate) threads: usize,
    pub(crate) spill: &'a Spill,
    pub(crate) pauses: &'a Pauses,
}

impl<'a> Tree<'a> {
    /// Returns a tree of `files`, whose facts are in `facts`, without directories and history.
    pub(crate) fn of(
        files: TreeFiles,
        facts: &'a FactStore,
        spill: &'a Spill,
        pauses: &'a Pauses,
    ) -> Self {
        Self {
            root: "",
            built_at: 0,
            files,
            facts,
            directories: Vec::new(),
            history: None,
            problems: Vec::new(),
            threads: 1,
            spill,
            pauses,
        }
    }

    fn records(&self) -> RecordReader<'_> {
        RecordReader::new(self.facts, &self.files.locations)
    }
}

/// Assembles a snapshot of a few files in memory. `facts` contains their facts, and `directories` is sorted by path.
pub(crate) fn assemble_layer(
    files: TreeFiles,
    facts: &FactStore,
    directories: Vec<(String, i64)>,
    threads: usize,
    pauses: &Pauses,
) -> io::Result<Snapshot> {
    let spill = Spill::in_memory();
    let tree = Tree { directories, threads, ..Tree::of(files, facts, &spill, pauses) };
    let mut stream = ContainerStream::in_memory();
    assemble(&tree, &mut stream)?;
    Snapshot::from_bytes(stream.finish()?.1).map_err(io::Error::other)
}

/// Writes the sections of a snapshot.
pub(crate) fn assemble(tree: &Tree<'_>, snapshot: &mut ContainerStream) -> io::Result<()> {
    let summaries = &Summaries::new(tree.history, &tree.files.paths);
    // The postings do not depend on the tables and the graph, so both are built at the same time. Each takes about half
    // of the total time.
    let postings = || Postings::of(tree, summaries, postings_share(tree));
    let structure = || Structure::of(tree, summaries);
    let (text, structure) = if tree.threads > 1 {
        std::thread::scope(|scope| {
            let text = threads::start(scope, postings);
            let structure = structure();
            let failed = || Err(io::Error::other("a thread ended early"));
            (text.join().unwrap_or_else(failed), structure)
        })
    } else {
        (postings(), structure())
    };
    write(tree, structure?, text?, summaries, snapshot)
}

/// The tables of files and symbols, and the graph.
struct Structure<'t> {
    files: FileTable<'t>,
    symbols: SymbolTable,
    tables: Tables<'t>,
    graph: Graph<'t>,
    links: Links,
}

impl<'t> Structure<'t> {
    fn of(tree: &'t Tree<'_>, summaries: &Summaries) -> io::Result<Self> {
        let mut files = FileTable::new(&tree.files.paths);
        let mut symbols = SymbolTable::new();
        let mut tables = Tables::new(tree.spill);
        let mut records = tree.records();
        for number in 0..tree.files.paths.len() as u32 {
            records.with(number, |record| {
                let reader = FactsReader::new(record);
                files.add(&reader.head);
                symbols.add_file(&reader);
                tables.add_file(number, tree, &files, &reader, summaries.get(number), &symbols)
            })?;
        }
        drop(records);
        symbols.finish();
        let free = free_memory(tree, symbols.size());
        let budget = Budget { cache: share(free, 2), edges: share(free, 1) };
        let (graph, links) = graph(tree, &files, &symbols, budget)?;
        Ok(Self { files, symbols, tables, graph, links })
    }
}

/// The minimum amount of memory that [`share`] returns, in bytes.
const MIN_SHARE: usize = 4096;

/// The memory limit divided by this number is reserved for the program, for sections that stay in memory, and for the
/// links between files.
const OTHER_TABLES_SHARE: usize = 4;
/// Sorted runs and caches get at least the memory limit divided by this number.
const MIN_FREE_SHARE: usize = 16;

/// Returns how many bytes of the build's memory limit are left for sorted runs and caches. The rest is needed for
/// tables that stay in memory. `symbols` is the size of the symbol table.
fn free_memory(tree: &Tree<'_>, symbols: usize) -> usize {
    let memory = tree.spill.memory();
    let tables = tree.size() + symbols + memory / OTHER_TABLES_SHARE;
    memory.saturating_sub(tables).max(memory / MIN_FREE_SHARE)
}

fn share(free: usize, eighths: usize) -> usize {
    (free / 8).saturating_mul(eighths).max(MIN_SHARE)
}

/// Returns the amount of memory for the postings, in bytes. The size of the symbol table is estimated, because the
/// postings are collected while the symbols are still being counted.
fn postings_share(tree: &Tree<'_>) -> usize {
    /// The symbol table is estimated to need one byte for every `SOURCE_BYTES` bytes of source.
    const SOURCE_BYTES: u64 = 16;
    /// The maximum number of bytes that are counted for one file. Larger files are mostly data.
    const MAX_FILE_BYTES: u64 = 64 * 1024;
    let source: u64 = tree.files.stamps.iter().map(|stamp| stamp.size.min(MAX_FILE_BYTES)).sum();
    let symbols = usize::try_from(source / SOURCE_BYTES).unwrap_or(usize::MAX);
    share(free_memory(tree, symbols), 4)
}

impl Tree<'_> {
    /// Returns the size of the file tables and of the tables that are built from them, in bytes.
    fn size(&self) -> usize {
        /// The number of bytes per file, for its stamp, hash, record location, role, language, first symbol, entries
        /// in the module and name tables, links and ranks.
        const PER_FILE: usize = 16 + 16 + 16 + 2 + 4 + 48 + 32;
        self.files.paths.size() + self.files.paths.len() * PER_FILE
    }
}

fn graph<'s>(
    tree: &Tree<'s>,
    files: &FileTable<'_>,
    symbols: &SymbolTable,
    budget: Budget,
) -> io::Result<(Graph<'s>, Links)> {
    let edges = resolve::resolve(tree, files, symbols, budget)?;
    let n_files = files.len() as u32;
    let file_of = |node: u32| node.checked_sub(n_files).map_or(node, |symbol| symbols.file(symbol));
    let mut links = Links::default();
    let n_nodes = files.len() + symbols.len();
    let graph = Graph::write(edges, n_nodes, tree.spill, budget.edges, |edge| {
        links.add(file_of(edge.from), file_of(edge.to), edge);
    })?;
    Ok((graph, links))
}

fn write(
    tree: &Tree<'_>,
    structure: Structure<'_>,
    text: Postings<'_>,
    summaries: &Summaries,
    snapshot: &mut ContainerStream,
) -> io::Result<()> {
    let Structure { files, symbols, tables, graph, links } = structure;
    let n_files = files.len();
    snapshot.put_next_section(&meta(tree, n_files, symbols.len(), graph.n_edges, &text))?;
    let symbol_names = tables::symbol_names(&symbols, tree.spill)?;
    drop(symbols);
    let ranks = links.ranks(n_files);
    snapshot.start_next_section()?;
    let (mut file, mut profiles) = (0, Section::new(tree.spill));
    tables.files.read_rows(crate::layout::file::SIZE, |record| {
        let in_text = text.texts.files[file];
        tables::complete_file(record, in_text.extra_lengths, ranks[file]);
        profiles.put(&tables::profile_of(record, in_text.first_passage))?;
        file += 1;
        snapshot.put(record)
    })?;
    let mut copy = |sections: Vec<Section<'_>>| {
        sections.into_iter().try_for_each(|section| {
            snapshot.start_next_section()?;
            section.read(|piece| snapshot.put(piece))
        })
    };
    copy(vec![tables.file_texts, tables.symbols, tables.symbol_texts, text.texts.passages])?;
    copy(text.terms.into())?;
    copy(vec![text.passage_postings, text.symbol_postings])?;
    copy(symbol_names.into())?;
    copy(tables::file_names(&files, tree.spill)?.into())?;
    copy(graph.sections.into())?;
    copy(summaries.co_changes(n_files, tree.spill)?.into())?;
    copy(summaries.touches(n_files, tree.spill)?.into())?;
    for section in directories(&tree.directories) {
        snapshot.put_next_section(&section)?;
    }
    snapshot.put_next_section(&newest_files(&tree.files.paths, &tree.files.stamps))?;
    snapshot.start_next_section()?;
    profiles.read(|piece| snapshot.put(piece))?;
    debug_assert_eq!(snapshot.n_sections(), N_SECTIONS);
    Ok(())
}

fn meta(
    tree: &Tree<'_>,
    n_files: usize,
    n_symbols: usize,
    n_edges: usize,
    text: &Postings<'_>,
) -> Vec<u8> {
    let mut out = Vec::new();
    put_text(&mut out, tree.root.as_bytes());
    put_text(&mut out, tree.history.map_or("", |history| &history.head).as_bytes());
    out.push(tree.history.map_or(HistoryState::Absent, |history| history.state) as u8);
    put_varint(&mut out, tree.history.map_or(0, |history| history.commits.len()) as u64);
    put_varint(&mut out, zigzag(tree.built_at));
    for count in [n_files, n_symbols, n_edges, text.n_terms, text.texts.n_passages as usize] {
        put_varint(&mut out, count as u64);
    }
    put_varint(&mut out, u64::from(text.texts.n_text_files));
    put_varint(&mut out, text.texts.passage_length);
    for total in text.texts.field_totals {
        put_varint(&mut out, total);
    }
    put_varint(&mut out, tree.problems.len() as u64);
    for problem in &tree.problems {
        put_text(&mut out, problem.as_bytes());
    }
    out
}
