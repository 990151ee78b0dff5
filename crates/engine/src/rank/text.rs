//! Scores files with BM25 over several fields. One pass over the postings computes all text signals.

use std::time::Instant;

use index::text::{FIELDS, Field};
use index::{FileId, Role, View};

use super::terms::{Scope, Term};

/// A score that is computed from term frequencies. The discriminant is the index into a [`TextRow`].
#[derive(Clone, Copy)]
pub(crate) enum TextSignal {
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

const SIGNALS: usize = 9;

/// The scores of one file, one per [`TextSignal`].
pub(crate) type TextRow = [f32; SIGNALS];

/// The weight of an occurrence in each field, for the signals that combine all fields.
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
/// How strongly the length of a path affects its norm. The value is low, because all paths are short.
const PATH_LENGTH_EFFECT: f32 = 0.3;
/// The BM25 saturation parameter for matches in paths. The value is low, because further matches in a path add little.
const PATH_SATURATION: f32 = 0.5;
const HISTORY_LENGTH_EFFECT: f32 = 0.3;
const HISTORY_SATURATION: f32 = 1.5;
const NAME_SATURATION: f32 = 1.0;

/// The maximum number of files whose scores [`TextScores::complete`] completes. It is larger than the number of
/// candidates, because completing the scores can change the order.
const MAX_COMPLETED: usize = 1_000;
/// The score factor for files that are not source code, used to choose the files whose scores are completed.
const NOT_SOURCE: f32 = 0.5;

/// The text scores of all files that contain a term of the query.
pub(super) struct TextScores {
    /// For each file id, the index of the file's row plus one, or zero if the file has no row.
    positions: Vec<u32>,
    rows: Vec<ScoredFile>,
}

struct ScoredFile {
    file: FileId,
    role: Role,
    scores: TextRow,
    norms: LengthNorms,
    /// The terms that have been added to the scores, as a bit set of indices into the list of terms.
    terms: u64,
}

impl TextScores {
    pub(super) fn read(view: &View, terms: &[Term<'_>], deadline: Instant) -> Self {
        let mut scores = Self { positions: vec![0; view.file_slots()], rows: Vec::new() };
        let totals = view.totals();
        let n_files = totals.files.max(1) as f32;
        let averages = AverageLengths::new(totals.lengths.map(|length| length as f32 / n_files));
        for (number, term) in terms.iter().enumerate() {
            if Instant::now() >= deadline {
                break;
            }
            for posting in view.best_postings(term.text) {
                let Some(row) = scores.row(view, &averages, posting.file) else { continue };
                row.terms |= 1 << number;
                add_term(&mut row.scores, term, &posting.counts, &row.norms);
            }
        }
        scores.complete(view, terms, deadline);
        scores
    }

    /// Returns a file's row. Creates the row if it does not exist.
    fn row(
        &mut self,
        view: &View,
        averages: &AverageLengths,
        file: FileId,
    ) -> Option<&mut ScoredFile> {
        let position = self.positions.get_mut(file.0 as usize)?;
        if *position == 0 {
            let profile = view.profile(file);
            let norms = averages.norms(&profile.lengths);
            let (role, scores) = (profile.role, [0.0; SIGNALS]);
            self.rows.push(ScoredFile { file, role, scores, norms, terms: 0 });
            *position = self.rows.len() as u32;
        }
        self.rows.get_mut((*position as usize).checked_sub(1)?)
    }

    /// Adds the missing scores of common terms to the best files. Before this step, only the files in which a common
    /// term is most prominent have been scored for that term.
    fn complete(&mut self, view: &View, terms: &[Term<'_>], deadline: Instant) {
        let is_common = |(_, term): &(usize, &Term<'_>)| term.is_common();
        let common: Vec<(usize, &Term<'_>)> = terms.iter().enumerate().filter(is_common).collect();
        if common.is_empty() {
            return;
        }
        let files = self.best_files(MAX_COMPLETED);
        for (number, term) in common {
            if Instant::now() >= deadline {
                return;
            }
            for posting in view.postings_in(term.text, &files) {
                let position = self.positions.get(posting.file.0 as usize).copied().unwrap_or(0);
                let Some(at) = (position as usize).checked_sub(1) else { continue };
                let row = &mut self.rows[at];
                if row.terms & 1 << number == 0 {
                    row.terms |= 1 << number;
                    add_term(&mut row.scores, term, &posting.counts, &row.norms);
                }
            }
        }
    }

    /// Returns the `count` files with the highest scores, sorted by file id.
    fn best_files(&self, count: usize) -> Vec<FileId> {
        let score = |row: &ScoredFile| {
            let factor = if row.role == Role::Source { 1.0 } else { NOT_SOURCE };
            factor * row.scores[TextSignal::Whole as usize]
        };
        let mut files: Vec<(f32, FileId)> =
            self.rows.iter().map(|row| (score(row), row.file)).collect();
        if files.len() > count {
            files.select_nth_unstable_by(count, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            files.truncate(count);
        }
        let mut files: Vec<FileId> = files.into_iter().map(|(_, file)| file).collect();
        files.sort_unstable();
        files
    }

    pub(super) fn of(&self, signal: TextSignal, file: FileId) -> f32 {
        let position = self.positions.get(file.0 as usize).copied().unwrap_or(0);
        let row = (position as usize).checked_sub(1).and_then(|at| self.rows.get(at));
        row.map_or(0.0, |row| row.scores[signal as usize])
    }

    /// Returns the highest score of any file for `signal`.
    pub(super) fn best(&self, signal: TextSignal) -> f32 {
        self.rows.iter().map(|row| row.scores[signal as usize]).fold(0.0, f32::max)
    }

    /// Returns the files with a score above 0 for any signal, with their roles.
    pub(super) fn files(&self) -> impl Iterator<Item = (FileId, Role)> {
        let scored = |row: &&ScoredFile| row.scores.iter().any(|score| *score > 0.0);
        self.rows.iter().filter(scored).map(|row| (row.file, row.role))
    }
}

/// Adds the scores of one term to `row`. `counts` contains the number of occurrences of the term in each field of the
/// file.
pub(crate) fn add_term(
    row: &mut TextRow,
    term: &Term<'_>,
    counts: &[u32; FIELDS],
    norms: &LengthNorms,
) {
    let mut frequency = 0.0;
    for (slot, count) in counts.iter().enumerate() {
        if *count > 0 && slot != Field::History.slot() {
            frequency += FIELD_WEIGHTS[slot] * *count as f32 / norms[slot];
        }
    }
    let whole = saturate(frequency, SATURATION);
    let in_field = |field: Field, saturation: f32| {
        saturate(counts[field.slot()] as f32 / norms[field.slot()], saturation)
    };
    let history = in_field(Field::History, HISTORY_SATURATION);
    let mut add = |signal: TextSignal, frequency: f32, scope: Scope| {
        row[signal as usize] += frequency * term.weight(scope);
    };
    add(TextSignal::Whole, whole, Scope::Whole);
    add(TextSignal::Title, whole, Scope::Title);
    add(TextSignal::Prose, whole, Scope::Prose);
    add(TextSignal::Code, whole, Scope::Code);
    add(TextSignal::Names, in_field(Field::Name, NAME_SATURATION), Scope::Whole);
    add(TextSignal::Paths, in_field(Field::Path, PATH_SATURATION), Scope::Whole);
    add(TextSignal::Docs, in_field(Field::Docs, NAME_SATURATION), Scope::Whole);
    add(TextSignal::History, history, Scope::Whole);
    add(TextSignal::HistoryOfTitle, history, Scope::Title);
}

fn saturate(frequency: f32, saturation: f32) -> f32 {
    frequency * (1.0 + saturation) / (frequency + saturation)
}

/// The divisors for the term counts in each field of a file. Long fields have larger divisors.
pub(crate) type LengthNorms = [f32; FIELDS];

/// The average number of terms in each field of a file.
pub(crate) struct AverageLengths {
    fields: [f32; FIELDS],
    /// The sum of the averages of [`TEXT_FIELDS`].
    text: f32,
}

/// Fields that share one norm, which is computed from their total length. Comments, strings and code are mixed in a
/// file, so the length of one field alone has no meaning.
const TEXT_FIELDS: [Field; 4] = [Field::Signature, Field::Docs, Field::Strings, Field::Body];

impl AverageLengths {
    pub(crate) fn new(fields: [f32; FIELDS]) -> Self {
        let fields = fields.map(|length| length.max(1.0));
        let text = TEXT_FIELDS.iter().map(|field| fields[field.slot()]).sum();
        Self { fields, text }
    }

    /// Returns the norms of a file. `lengths` contains the number of terms in each field of the file.
    pub(crate) fn norms(&self, lengths: &[u32; FIELDS]) -> LengthNorms {
        let norm =
            |effect: f32, length: f32, average: f32| 1.0 - effect + effect * length / average;
        let mut norms = [1.0; FIELDS];
        for (slot, norm_of_field) in norms.iter_mut().enumerate() {
            *norm_of_field = norm(LENGTH_EFFECT, lengths[slot] as f32, self.fields[slot]);
        }
        let text: f32 = TEXT_FIELDS.iter().map(|field| lengths[field.slot()] as f32).sum();
        for field in TEXT_FIELDS {
            norms[field.slot()] = norm(LENGTH_EFFECT, text, self.text);
        }
        for (field, effect) in
            [(Field::Path, PATH_LENGTH_EFFECT), (Field::History, HISTORY_LENGTH_EFFECT)]
        {
            let slot = field.slot();
            norms[slot] = norm(effect, lengths[slot] as f32, self.fields[slot]);
        }
        norms
    }
}
