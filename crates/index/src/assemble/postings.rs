//! Builds the postings: maps each term to the files, passages and symbol names that contain it.

use super::interner::Interner;
use super::{Assembly, FileInput};
use crate::codec::{Cursor, put_varint};
use crate::dictionary::DictionaryWriter;
use crate::facts::{FactsReader, PassageFact, counts};
use crate::history::FileSummary;
use crate::posting_list::{FileListWriter, ListWriter, impact};
use crate::role::{Role, role_of};
use crate::text::{FIELDS, Field, for_each_token};

/// A flag in [`Entry::payload`] of a file entry: the payload is an index into [`Entries::extras`], not a position in
/// the file's record.
const EXTRA_FLAG: u32 = 1 << 31;

/// The text sections of a snapshot.
#[derive(Default)]
pub(super) struct Postings {
    pub(super) terms: DictionaryWriter,
    pub(super) passage_postings: Vec<u8>,
    pub(super) symbol_postings: Vec<u8>,
    pub(super) passages: Vec<u8>,
    pub(super) n_passages: u32,
    pub(super) passage_length: u64,
    pub(super) n_text_files: u32,
    pub(super) field_totals: [u64; FIELDS],
    /// For each file, the number of tokens in its path and in its commit subjects. Records of facts do not contain
    /// these numbers.
    pub(super) extra_lengths: Vec<[u32; 2]>,
    /// For each file, the number of its first passage.
    pub(super) first_passages: Vec<u32>,
    weights: Vec<FileWeight>,
}

/// What the impact of a posting depends on, apart from its counts.
#[derive(Clone, Copy)]
struct FileWeight {
    /// The number of tokens in the content.
    length: u32,
    is_source: bool,
}

/// One occurrence of a term in a file, passage or symbol, before the entries are sorted by term.
#[derive(Clone, Copy, Default)]
struct Entry {
    term: u32,
    /// The number of the file, passage or symbol.
    owner: u32,
    /// For a file: the position of the counts in the record, or a flagged index (see [`EXTRA_FLAG`]). For a passage:
    /// the count. For a symbol: a mask of fields.
    payload: u32,
}

#[derive(Default)]
struct Entries {
    files: Vec<Entry>,
    passages: Vec<Entry>,
    symbols: Vec<Entry>,
    extras: Vec<[u32; FIELDS]>,
    n_symbols: u32,
}

impl Postings {
    pub(super) fn of(assembly: &Assembly<'_>, summaries: &[FileSummary]) -> Self {
        let mut postings = Self::default();
        let mut interner = Interner::new();
        let mut entries = Entries::default();
        for (number, file) in assembly.files.iter().enumerate() {
            postings.first_passages.push(postings.n_passages);
            postings.collect_file(number as u32, file, &mut interner, &mut entries);
            let subjects = summaries[number].subjects.iter().filter_map(|commit| {
                assembly.history.and_then(|history| history.commits.get(*commit as usize))
            });
            let mut lengths = [0, 0];
            let mut extra = Extra::default();
            lengths[0] = extra.count(file.path, Field::Path, &mut interner);
            for commit in subjects {
                lengths[1] += extra.count(&commit.subject, Field::History, &mut interner);
            }
            extra.add_to(&mut entries, number as u32);
            postings.field_totals[Field::Path.slot()] += u64::from(lengths[0]);
            postings.field_totals[Field::History.slot()] += u64::from(lengths[1]);
            postings.extra_lengths.push(lengths);
        }
        postings.invert(assembly, &interner, entries);
        postings
    }

    fn collect_file(
        &mut self,
        number: u32,
        file: &FileInput<'_>,
        interner: &mut Interner,
        entries: &mut Entries,
    ) {
        let reader = FactsReader::new(file.record);
        for (total, length) in self.field_totals.iter_mut().zip(reader.head.lengths) {
            *total += u64::from(length);
        }
        self.n_text_files += u32::from(reader.head.lengths.iter().any(|length| *length > 0));
        let role = role_of(file.path, reader.head.mark, reader.head.language.is_some());
        let length = reader.head.lengths.iter().fold(0, |sum: u32, it| sum.saturating_add(*it));
        self.weights.push(FileWeight { length, is_source: role == Role::Source });
        let first_term = entries.files.len();
        let record_start = file.record.as_ptr() as usize;
        reader.terms(|term, encoded| {
            // `invert` later copies the counts from this position in the record.
            let payload = (encoded.as_ptr() as usize - record_start) as u32;
            entries.files.push(Entry { term: interner.number(term), owner: number, payload });
        });
        let first_symbol = entries.n_symbols;
        let (terms, symbols) = (&entries.files[first_term..], &mut entries.symbols);
        let mut n_symbols = 0;
        reader.symbols(|symbol| {
            let owner = first_symbol + n_symbols;
            symbol.terms.for_each(|place, payload| {
                if let Some(entry) = terms.get(place as usize) {
                    symbols.push(Entry { term: entry.term, owner, payload });
                }
            });
            n_symbols += 1;
        });
        entries.n_symbols += n_symbols;
        let passages = &mut entries.passages;
        reader.passages(|passage| {
            let owner = self.n_passages;
            let is_whole_file = passage.terms.is_empty();
            passage.terms.for_each(|place, payload| {
                if let Some(entry) = terms.get(place as usize) {
                    passages.push(Entry { term: entry.term, owner, payload });
                }
            });
            if is_whole_file {
                passages.extend(terms.iter().map(|entry| {
                    let mut cursor =
                        Cursor::new(file.record.get(entry.payload as usize..).unwrap_or_default());
                    let in_fields = counts::read(&mut cursor);
                    let payload = [Field::Body, Field::Docs, Field::Strings]
                        .iter()
                        .map(|it| in_fields[it.slot()])
                        .sum();
                    Entry { term: entry.term, owner, payload }
                }));
            }
            self.put_passage(number, first_symbol, &passage);
        });
    }

    fn put_passage(&mut self, file: u32, first_symbol: u32, passage: &PassageFact<'_>) {
        let symbol = passage.symbol.map_or(0, |symbol| first_symbol + symbol + 1);
        for number in [file, symbol, passage.first_line, passage.last_line, passage.length] {
            self.passages.extend_from_slice(&number.to_le_bytes());
        }
        self.n_passages += 1;
        self.passage_length += u64::from(passage.length);
    }

    fn invert(&mut self, assembly: &Assembly<'_>, interner: &Interner, entries: Entries) {
        let Entries { files, passages, symbols, extras, .. } = entries;
        let (files, file_starts) = by_term(files, interner.len());
        let (passages, passage_starts) = by_term(passages, interner.len());
        let (symbols, symbol_starts) = by_term(symbols, interner.len());
        let mut list = Vec::new();
        let (mut numbers, mut file_list) = (ListWriter::default(), FileListWriter::default());
        let total: u64 = self.weights.iter().map(|weight| u64::from(weight.length)).sum();
        let average = (total as f32 / self.weights.len().max(1) as f32).max(1.0);
        let impact_of = |file: u32, counts: &[u32; FIELDS]| {
            let weight = self.weights[file as usize];
            impact(counts, weight.length as f32 / average, weight.is_source)
        };
        for term in interner.sorted() {
            let of_term =
                |starts: &[u32]| starts[term as usize] as usize..starts[term as usize + 1] as usize;
            list.clear();
            for (section, pairs) in [
                (&mut self.passage_postings, &passages[of_term(&passage_starts)]),
                (&mut self.symbol_postings, &symbols[of_term(&symbol_starts)]),
            ] {
                pairs.iter().for_each(|(owner, number)| numbers.push(*owner, *number));
                put_list_location(&mut list, section, &mut numbers);
            }
            let of_files = &files[of_term(&file_starts)];
            push_files(&mut file_list, of_files, assembly, &extras, &impact_of);
            let n_files = file_list.finish(&mut list);
            self.terms.push(interner.get(term), n_files, &list);
        }
    }
}

/// Appends a list to `section`, and its item count, position and length in bytes to `head`.
fn put_list_location(head: &mut Vec<u8>, section: &mut Vec<u8>, list: &mut ListWriter) {
    let at = section.len() as u64;
    let n_items = list.finish(section) as u64;
    put_varint(head, n_items);
    if n_items > 0 {
        put_varint(head, at);
        put_varint(head, section.len() as u64 - at);
    }
}

/// The counts of the terms in a file's path and commit subjects.
#[derive(Default)]
struct Extra {
    counted: Vec<(u32, [u32; FIELDS])>,
}

impl Extra {
    fn count(&mut self, text: &str, field: Field, interner: &mut Interner) -> u32 {
        let mut total = 0;
        for_each_token(text, |token| {
            let mut one = [0; FIELDS];
            one[field.slot()] = 1;
            self.counted.push((interner.number(token.term.as_bytes()), one));
            total += 1;
        });
        total
    }

    fn add_to(mut self, entries: &mut Entries, file: u32) {
        self.counted.sort_unstable_by_key(|(term, _)| *term);
        for same in self.counted.chunk_by(|a, b| a.0 == b.0) {
            let mut sum = [0; FIELDS];
            for (_, one) in same {
                add(&mut sum, one);
            }
            entries.files.push(Entry {
                term: same[0].0,
                owner: file,
                payload: EXTRA_FLAG | entries.extras.len() as u32,
            });
            entries.extras.push(sum);
        }
    }
}

fn add(sum: &mut [u32; FIELDS], more: &[u32; FIELDS]) {
    for (total, count) in sum.iter_mut().zip(more) {
        *total += count;
    }
}

/// Groups entries by term and keeps their order within a term. Returns pairs of owner and payload, and the position of
/// the first pair of each term.
fn by_term(entries: Vec<Entry>, n_terms: usize) -> (Vec<(u32, u32)>, Vec<u32>) {
    let mut starts = vec![0_u32; n_terms + 1];
    for entry in &entries {
        starts[entry.term as usize + 1] += 1;
    }
    for term in 0..n_terms {
        starts[term + 1] += starts[term];
    }
    let mut next = starts.clone();
    let mut sorted = vec![(0, 0); entries.len()];
    for entry in entries {
        let slot = &mut next[entry.term as usize];
        sorted[*slot as usize] = (entry.owner, entry.payload);
        *slot += 1;
    }
    (sorted, starts)
}

/// Adds the postings of one term: each file with its counts per field.
fn push_files(
    list: &mut FileListWriter,
    entries: &[(u32, u32)],
    assembly: &Assembly<'_>,
    extras: &[[u32; FIELDS]],
    impact_of: &impl Fn(u32, &[u32; FIELDS]) -> f32,
) {
    for of_file in entries.chunk_by(|a, b| a.0 == b.0) {
        let file = of_file[0].0;
        let record = assembly.files[file as usize].record;
        let content =
            |payload: u32| Cursor::new(record.get(payload as usize..).unwrap_or_default());
        if let [(_, payload)] = of_file
            && payload & EXTRA_FLAG == 0
        {
            let start = content(*payload);
            let mut end = start;
            let found = counts::read(&mut end);
            let encoded = &record[*payload as usize..][..start.remaining() - end.remaining()];
            list.push(file, impact_of(file, &found), |out| out.extend_from_slice(encoded));
            continue;
        }
        let mut sum = [0; FIELDS];
        for (_, payload) in of_file {
            if payload & EXTRA_FLAG == 0 {
                add(&mut sum, &counts::read(&mut content(*payload)));
            } else {
                add(&mut sum, &extras[(payload & !EXTRA_FLAG) as usize]);
            }
        }
        list.push(file, impact_of(file, &sum), |out| counts::put(out, &sum));
    }
}
