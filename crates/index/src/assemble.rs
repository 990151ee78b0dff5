//! Assembles the facts of all files into one snapshot.
//!
//! Files are ordered by path, so that the same tree always produces the same snapshot. The records of facts are read
//! one after the other, and data that does not fit in memory is written to temporary files ([`crate::spill`]).

mod annotations;
mod bindings;
mod edges;
mod file_facts;
mod files;
mod imports;
mod interner;
mod key_table;
mod modules;
mod named_files;
mod packages;
mod paths;
mod postings;
mod rank;
mod records;
mod resolve;
mod standard_names;
mod summaries;
mod symbols;
mod symbols_by_name;
mod tables;
mod term_runs;
mod tested;
mod typed;
mod untyped;
mod values;

use std::io;

use crate::build::Pauses;
use crate::codec::{put_text, put_varint, zigzag};
use crate::container::ContainerStream;
use crate::facts::{FactsHead, FactsReader};
use crate::history::{History, HistoryState};
use crate::layout::{N_SECTIONS, Section as Number};
use crate::role::{Role, role_of};
use crate::spill::{Section, Spill};
use crate::threads;
use edges::Graph;
use files::FileTable;
pub(crate) use interner::prefix;
pub(crate) use paths::{Paths, folder_of};
use postings::Postings;
use rank::Links;
pub(crate) use records::Records;
use resolve::Budget;
use summaries::Summaries;
use symbols::SymbolTable;
use tables::Tables;
pub(crate) use tables::{directories, newest_files};

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
pub(crate) struct Tree<'a> {
    pub(crate) root: &'a str,
    /// The build time, in seconds since the Unix epoch.
    pub(crate) built_at: i64,
    pub(crate) paths: Paths,
    pub(crate) stamps: Vec<FileStamp>,
    pub(crate) hashes: Vec<[u8; 16]>,
    pub(crate) records: Records<'a>,
    /// Directories with their modification times, in nanoseconds since the Unix epoch.
    pub(crate) directories: Vec<(String, i64)>,
    pub(crate) history: Option<&'a History>,
    /// Messages about files that were not indexed completely.
    pub(crate) problems: Vec<String>,
    pub(crate) threads: usize,
    pub(crate) spill: &'a Spill,
    pub(crate) pauses: &'a Pauses,
}

/// Returns the bytes of a snapshot of a few files, which are sorted by path.
pub(crate) fn assemble_in_memory(files: &[FileInput<'_>]) -> io::Result<Vec<u8>> {
    let mut paths = Paths::default();
    files.iter().for_each(|file| paths.push(file.path));
    let spill = Spill::in_memory();
    let tree = Tree {
        root: "",
        built_at: 0,
        paths,
        stamps: files.iter().map(|file| file.stamp).collect(),
        hashes: files.iter().map(|file| file.hash).collect(),
        records: Records::Memory(files.iter().map(|file| file.record).collect()),
        directories: Vec::new(),
        history: None,
        problems: Vec::new(),
        threads: 1,
        spill: &spill,
        pauses: &Pauses::default(),
    };
    let mut stream = ContainerStream::in_memory();
    assemble(&tree, &mut stream)?;
    Ok(stream.finish()?.1)
}

/// Writes the sections of a snapshot.
pub(crate) fn assemble(tree: &Tree<'_>, snapshot: &mut ContainerStream) -> io::Result<()> {
    let summaries = Summaries::new(tree.history, &tree.paths);
    let mut files = FileTable::new(&tree.paths);
    let mut symbols = SymbolTable::new();
    let mut tables = Tables::new(tree.spill);
    let mut records = tree.records.reader();
    for number in 0..tree.paths.len() as u32 {
        records.with(number, |record| {
            let reader = FactsReader::new(record);
            files.add(&reader.head);
            symbols.add_file(&reader);
            tables.add_file(number, tree, &reader, summaries.get(number), &symbols)
        })?;
    }
    drop(records);
    symbols.finish();
    let shares = shares(tree, &symbols);
    // The postings and the graph are independent of each other, and each takes about half of the time.
    let graph = || graph(tree, &files, &symbols, shares);
    let postings = || Postings::of(tree, &summaries, shares.postings);
    let (text, graph) = if tree.threads > 1 {
        std::thread::scope(|scope| {
            let text = threads::start(scope, postings);
            let graph = graph();
            let failed = || Err(io::Error::other("a thread ended early"));
            (text.join().unwrap_or_else(failed), graph)
        })
    } else {
        (postings(), graph())
    };
    let (graph, links) = graph?;
    write(tree, &files, symbols, tables, graph, links, text?, &summaries, snapshot)
}

/// The memory for each part of the work, in bytes. The parts run at the same time.
#[derive(Clone, Copy)]
struct Shares {
    postings: usize,
    resolve: Budget,
}

/// The minimum memory for one part of the work, in bytes.
const MIN_SHARE: usize = 4096;

/// Divides the memory that the tables of files and symbols do not use. At least a quarter of all memory is divided.
fn shares(tree: &Tree<'_>, symbols: &SymbolTable) -> Shares {
    let tables = tree.size() + symbols.size();
    let memory = tree.spill.memory();
    let free = memory.saturating_sub(tables).max(memory / 4);
    let share = |eighths: usize| (free / 8).saturating_mul(eighths).max(MIN_SHARE);
    Shares { postings: share(4), resolve: Budget { cache: share(2), edges: share(1) } }
}

impl Tree<'_> {
    /// Returns the size in bytes of the tables of files and of the tables that are built from them.
    fn size(&self) -> usize {
        /// The number of bytes per file, for its stamp, hash, record location, role, language, first symbol, entries in
        /// the tables of modules and names, links and ranks.
        const PER_FILE: usize = 16 + 16 + 16 + 2 + 4 + 48 + 32;
        self.paths.size() + self.paths.len() * PER_FILE
    }
}

fn graph<'s>(
    tree: &Tree<'s>,
    files: &FileTable<'_>,
    symbols: &SymbolTable,
    shares: Shares,
) -> io::Result<(Graph<'s>, Links)> {
    let edges = resolve::resolve(tree, files, symbols, shares.resolve)?;
    let n_files = files.len() as u32;
    let file_of = |node: u32| node.checked_sub(n_files).map_or(node, |symbol| symbols.file(symbol));
    let mut links = Links::default();
    let n_nodes = files.len() + symbols.len();
    let graph = Graph::write(edges, n_nodes, tree.spill, shares.resolve.edges, |edge| {
        links.add(file_of(edge.from), file_of(edge.to), edge);
    })?;
    Ok((graph, links))
}

#[expect(clippy::too_many_arguments, reason = "the parts of a snapshot")]
fn write(
    tree: &Tree<'_>,
    files: &FileTable<'_>,
    symbols: SymbolTable,
    tables: Tables<'_>,
    graph: Graph<'_>,
    links: Links,
    text: Postings<'_>,
    summaries: &Summaries,
    snapshot: &mut ContainerStream,
) -> io::Result<()> {
    let n_files = files.len();
    let mut writer = SectionWriter { snapshot, next: 0 };
    writer.put(&meta(tree, n_files, symbols.len(), graph.n_edges, &text))?;
    let symbol_names = tables::symbol_names(&symbols, tree.spill)?;
    drop(symbols);
    let ranks = links.ranks(n_files);
    writer.start(Number::Files)?;
    let (mut file, mut profiles) = (0, Section::new(tree.spill));
    tables.files.read_rows(crate::layout::file::SIZE, |record| {
        tables::complete_file(record, text.extra_lengths[file], ranks[file]);
        profiles.put(&tables::profile_of(record, text.first_passages[file]))?;
        file += 1;
        writer.append(record)
    })?;
    for section in [tables.file_texts, tables.symbols, tables.symbol_texts, text.passages] {
        writer.copy(section)?;
    }
    writer.copy_all(text.terms)?;
    writer.copy_all([text.passage_postings, text.symbol_postings])?;
    writer.copy_all(symbol_names)?;
    writer.copy_all(tables::file_names(files, tree.spill)?)?;
    writer.copy_all(graph.sections)?;
    writer.copy_all(summaries.co_changes(n_files, tree.spill)?)?;
    writer.copy_all(summaries.touches(n_files, tree.spill)?)?;
    for section in directories(&tree.directories) {
        writer.put(&section)?;
    }
    writer.put(&newest_files(&tree.paths, &tree.stamps))?;
    writer.copy(profiles)?;
    debug_assert_eq!(writer.next, N_SECTIONS);
    Ok(())
}

/// Writes the sections of a snapshot in order.
struct SectionWriter<'c> {
    snapshot: &'c mut ContainerStream,
    next: usize,
}

impl SectionWriter<'_> {
    fn start(&mut self, section: Number) -> io::Result<()> {
        debug_assert_eq!(self.next, section as usize);
        self.snapshot.start_section(self.next)?;
        self.next += 1;
        Ok(())
    }

    /// Appends bytes to the section that was started last.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.snapshot.put(self.next - 1, bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.snapshot.start_section(self.next)?;
        self.next += 1;
        self.append(bytes)
    }

    fn copy(&mut self, section: Section<'_>) -> io::Result<()> {
        self.snapshot.start_section(self.next)?;
        self.next += 1;
        section.read(|piece| self.append(piece))
    }

    fn copy_all<'s>(&mut self, sections: impl IntoIterator<Item = Section<'s>>) -> io::Result<()> {
        sections.into_iter().try_for_each(|section| self.copy(section))
    }
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
    out.push(tree.history.map_or(HistoryState::Absent, |history| history.state).code());
    put_varint(&mut out, tree.history.map_or(0, |history| history.commits.len()) as u64);
    put_varint(&mut out, zigzag(tree.built_at));
    for count in [n_files, n_symbols, n_edges, text.n_terms, text.n_passages as usize] {
        put_varint(&mut out, count as u64);
    }
    put_varint(&mut out, u64::from(text.n_text_files));
    put_varint(&mut out, text.passage_length);
    for total in text.field_totals {
        put_varint(&mut out, total);
    }
    put_varint(&mut out, tree.problems.len() as u64);
    for problem in &tree.problems {
        put_text(&mut out, problem.as_bytes());
    }
    out
}

fn role_and_head(path: &str, reader: &FactsReader<'_>) -> (Role, FactsHead) {
    let head = reader.head;
    (role_of(path, head.mark, head.language.is_some()), head)
}
