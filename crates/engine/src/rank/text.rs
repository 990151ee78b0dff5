//! BM25 over the fields of files: one pass over the postings serves every part of the text that is scored.

use std::time::Instant;

use index::text::{FIELDS, Field};
use index::{FileId, View};

use super::terms::{Reading, Term};

/// What is scored. The discriminant is the slot in [`TextScores`].
#[derive(Clone, Copy)]
pub(super) enum Part {
    Whole,
    Title,
    Prose,
    Code,
    Names,
    Paths,
    Docs,
    History,
    HistoryOfTitle,
}

const PARTS: usize = 9;

/// How much one occurrence in a field counts when the fields are read as one text.
const FIELD_WEIGHTS: [f32; FIELDS] = field_weights();

const fn field_weights() -> [f32; FIELDS] {
    let mut weights = [0.0; FIELDS];
    weights[Field::Path as usize] = 12.0;
    weights[Field::Name as usize] = 1.8;
    weights[Field::Qualified as usize] = 0.2;
    weights[Field::Signature as usize] = 0.2;
    weights[Field::Docs as usize] = 0.3;
    weights[Field::Strings as usize] = 0.4;
    weights[Field::Body as usize] = 0.4;
    weights
}

const LENGTH_EFFECT: f32 = 0.6;
const SATURATION: f32 = 0.7;
/// A path is short: its length matters less, and one hit is nearly all there is to have.
const PATH_LENGTH_EFFECT: f32 = 0.3;
const PATH_SATURATION: f32 = 0.5;
const HISTORY_LENGTH_EFFECT: f32 = 0.3;
const HISTORY_SATURATION: f32 = 1.5;
const NAME_SATURATION: f32 = 1.0;

/// Scores by part and file.
pub(super) struct TextScores {
    scores: Vec<[f32; PARTS]>,
}

impl TextScores {
    pub(super) fn read(view: &View, terms: &[Term<'_>], deadline: Instant) -> Self {
        let mut scores = vec![[0.0; PARTS]; view.file_slots()];
        let mut norms = Norms::new(view);
        for term in terms {
            if Instant::now() >= deadline {
                break;
            }
            for posting in view.postings(term.text) {
                let Some(row) = scores.get_mut(posting.file.0 as usize) else { continue };
                add(row, term, &posting.counts, norms.of(view, posting.file));
            }
        }
        Self { scores }
    }

    pub(super) fn of(&self, part: Part, file: FileId) -> f32 {
        self.scores.get(file.0 as usize).map_or(0.0, |row| row[part as usize])
    }

    /// The best score of a part.
    pub(super) fn best(&self, part: Part) -> f32 {
        self.scores.iter().map(|row| row[part as usize]).fold(0.0, f32::max)
    }

    /// Files with any score.
    pub(super) fn files(&self) -> impl Iterator<Item = FileId> {
        let scored = |(number, row): (usize, &[f32; PARTS])| {
            row.iter().any(|score| *score > 0.0).then_some(FileId(number as u32))
        };
        self.scores.iter().enumerate().filter_map(scored)
    }
}

fn add(row: &mut [f32; PARTS], term: &Term<'_>, counts: &[u32; FIELDS], norm: &Norm) {
    let mut frequency = 0.0;
    for (slot, count) in counts.iter().enumerate() {
        if *count > 0 && slot != Field::History.slot() {
            frequency += FIELD_WEIGHTS[slot] * *count as f32 / norm.fields[slot];
        }
    }
    let whole = saturate(frequency, SATURATION);
    let in_field = |field: Field, saturation: f32| {
        saturate(counts[field.slot()] as f32 / norm.fields[field.slot()], saturation)
            * term.weight(Reading::Whole)
    };
    row[Part::Whole as usize] += whole * term.weight(Reading::Whole);
    row[Part::Title as usize] += whole * term.weight(Reading::Title);
    row[Part::Prose as usize] += whole * term.weight(Reading::Prose);
    row[Part::Code as usize] += whole * term.weight(Reading::Code);
    row[Part::Names as usize] += in_field(Field::Name, NAME_SATURATION);
    row[Part::Paths as usize] += in_field(Field::Path, PATH_SATURATION);
    row[Part::Docs as usize] += in_field(Field::Docs, NAME_SATURATION);
    let count = counts[Field::History.slot()] as f32 / norm.fields[Field::History.slot()];
    let history = saturate(count, HISTORY_SATURATION);
    row[Part::History as usize] += history * term.weight(Reading::Whole);
    row[Part::HistoryOfTitle as usize] += history * term.weight(Reading::Title);
}

fn saturate(frequency: f32, saturation: f32) -> f32 {
    frequency * (1.0 + saturation) / (frequency + saturation)
}

/// How much the length of a file takes from a count, per field.
struct Norm {
    fields: [f32; FIELDS],
}

/// Norms of the files met so far.
struct Norms {
    averages: [f32; FIELDS],
    average_text: f32,
    known: Vec<Option<Box<Norm>>>,
}

/// Fields whose lengths belong together: a comment is as diluted as the code around it.
const TEXT_FIELDS: [Field; 4] = [Field::Signature, Field::Docs, Field::Strings, Field::Body];

impl Norms {
    fn new(view: &View) -> Self {
        let totals = view.totals();
        let n_files = totals.files.max(1) as f32;
        let averages = totals.lengths.map(|length| (length as f32 / n_files).max(1.0));
        let average_text = TEXT_FIELDS.iter().map(|field| averages[field.slot()]).sum();
        let mut known = Vec::new();
        known.resize_with(view.file_slots(), || None);
        Self { averages, average_text, known }
    }

    fn of(&mut self, view: &View, file: FileId) -> &Norm {
        let (averages, average_text) = (&self.averages, self.average_text);
        self.known[file.0 as usize]
            .get_or_insert_with(|| Box::new(norm(&view.file(file).lengths, averages, average_text)))
    }
}

fn norm(lengths: &[u32; FIELDS], averages: &[f32; FIELDS], average_text: f32) -> Norm {
    let mut fields = [1.0; FIELDS];
    for (slot, field) in fields.iter_mut().enumerate() {
        *field = 1.0 - LENGTH_EFFECT + LENGTH_EFFECT * lengths[slot] as f32 / averages[slot];
    }
    let text: f32 = TEXT_FIELDS.iter().map(|field| lengths[field.slot()] as f32).sum();
    for field in TEXT_FIELDS {
        fields[field.slot()] = 1.0 - LENGTH_EFFECT + LENGTH_EFFECT * text / average_text;
    }
    for (field, effect) in
        [(Field::Path, PATH_LENGTH_EFFECT), (Field::History, HISTORY_LENGTH_EFFECT)]
    {
        let slot = field.slot();
        fields[slot] = 1.0 - effect + effect * lengths[slot] as f32 / averages[slot];
    }
    Norm { fields }
}
