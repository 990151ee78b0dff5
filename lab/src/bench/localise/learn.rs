//! Fits the weights of the signals for a linear ranking that places the correct files before the other files in their
//! tree.
//!
//! The loss is the negative log-likelihood of each correct file against all wrong files (softmax), plus the squared
//! distance of the weights from their initial values. The three groups of cases (`Group`) have equal weight.
//!
//! For the evaluation on held-out repositories, the weights start at zero. For the table that is checked in, they
//! start at the checked-in values, so that a few cases change them only slightly. Each weight keeps its sign, so a
//! matching signal never becomes a penalty. The weights of definitions are fitted in the same way, on the definitions
//! in the best files.

use std::fmt::Write;

use engine::{Column, Form, Query, signal_weights, symbol_signal_weights};
use index::{FileId, SymbolId, View};

use super::cases::Case;
use super::score::Group;

const FOLDS: usize = 4;
const STEPS: usize = 300;
/// The coefficient of the penalty for a weight's distance from its initial value.
const SHRINK: f32 = 0.01;
const RATE: f32 = 0.1;

/// All candidates for one case. Each row says whether the candidate is correct, and contains its signals.
pub(in crate::bench) struct Lesson {
    repo: String,
    group: Group,
    form: Form,
    one_file: bool,
    n_gold: usize,
    rows: Vec<(bool, Vec<f32>)>,
}

/// The signals whose weights are fitted, and their checked-in weights.
struct Subject {
    names: Vec<&'static str>,
    checked_in: Vec<f32>,
}

impl Subject {
    fn new(weights: impl Iterator<Item = (&'static str, f32)>) -> Self {
        let (names, checked_in) = weights.unzip();
        Self { names, checked_in }
    }
}

pub(super) fn lesson(case: &Case, view: &View, measured: Vec<(FileId, Vec<f32>)>) -> Lesson {
    let row = |(file, values): (FileId, Vec<f32>)| {
        (case.gold.iter().any(|gold| gold == view.path(file)), values)
    };
    Lesson {
        repo: case.repo.clone(),
        group: Group::of(case),
        form: Query::read(&case.prompt).form,
        one_file: case.gold.len() == 1,
        n_gold: case.gold.len(),
        rows: measured.into_iter().map(row).collect(),
    }
}

/// Returns the signals of all candidates for a turn of a session, like [`lesson`]. The turns are held out by owner
/// instead of by repository.
pub(in crate::bench) fn lesson_of_turn(
    owner: &str,
    gold: &[String],
    view: &View,
    measured: Vec<(FileId, Vec<f32>)>,
) -> Lesson {
    let row = |(file, values): (FileId, Vec<f32>)| {
        (gold.iter().any(|gold| gold == view.path(file)), values)
    };
    Lesson {
        repo: owner.to_owned(),
        group: Group::Other,
        form: Form::Task,
        one_file: gold.len() == 1,
        n_gold: gold.len(),
        rows: measured.into_iter().map(row).collect(),
    }
}

/// Returns the signals of the candidate functions of a case, like [`lesson`]. Returns `None` if the case lists no
/// correct functions.
pub(super) fn lesson_of_functions(
    case: &Case,
    view: &View,
    measured: Vec<(SymbolId, Vec<f32>)>,
) -> Option<Lesson> {
    let gold = case.gold_functions.as_ref().filter(|gold| !gold.is_empty())?;
    let row = |(symbol, values): (SymbolId, Vec<f32>)| {
        let symbol = view.symbol(symbol);
        (gold.contains(&format!("{}::{}", view.path(symbol.file), symbol.qualified)), values)
    };
    Some(Lesson {
        repo: case.repo.clone(),
        group: Group::of(case),
        form: Form::Task,
        one_file: case.gold.len() == 1,
        n_gold: gold.len(),
        rows: measured.into_iter().map(row).collect(),
    })
}

/// Fits the weights for the files in the later turns of a session, and returns the report.
pub(in crate::bench) fn learn_session(turns: &[Lesson]) -> String {
    report(turns, &Subject::new(signal_weights(Column::Session)))
}

/// Fits the weights for files, separately for tasks and questions, and for functions, and returns the reports. The
/// rule for a prompt that is a single name replaces the weights, so such prompts are left out.
pub(super) fn learn(files: Vec<Lesson>, functions: &[Lesson]) -> String {
    let of_functions = Subject::new(symbol_signal_weights());
    let (tasks, questions): (Vec<Lesson>, Vec<Lesson>) = files
        .into_iter()
        .filter(|lesson| !matches!(lesson.form, Form::Name(_)))
        .partition(|lesson| lesson.form == Form::Task);
    let mut out = String::new();
    for (title, column, lessons) in
        [("tasks", Column::Task, tasks), ("questions", Column::Question, questions)]
    {
        if !lessons.is_empty() {
            let subject = Subject::new(signal_weights(column));
            let _ = writeln!(out, "files, {title}\n{}", report(&lessons, &subject));
        }
    }
    if !functions.is_empty() {
        let _ = write!(out, "functions\n{}", report(functions, &of_functions));
    }
    out
}

/// Reports the quality on held-out repositories, the learned weights, and each signal's contribution.
fn report(lessons: &[Lesson], subject: &Subject) -> String {
    let Subject { names, checked_in } = subject;
    let all: Vec<&Lesson> = lessons.iter().collect();
    let mut out = String::new();
    let _ = writeln!(
        out,
        "checked in           {}",
        quality(&all.iter().map(|lesson| (*lesson, &checked_in[..])).collect::<Vec<_>>())
    );
    let _ = writeln!(out, "held-out             {}", held_out(&all, &[]));
    let weights = fit(&all, checked_in, &[]);
    let _ = writeln!(
        out,
        "fitted on all        {}",
        quality(&all.iter().map(|lesson| (*lesson, &weights[..])).collect::<Vec<_>>())
    );
    for (name, weight) in names.iter().zip(&weights) {
        let _ = writeln!(out, "    (\"{name}\", {weight:.2}),");
    }
    let _ = writeln!(out, "held-out without one signal:");
    for (slot, name) in names.iter().enumerate() {
        let _ = writeln!(out, "{name:20} {}", held_out(&all, &[slot]));
    }
    out
}

fn held_out(lessons: &[&Lesson], without: &[usize]) -> String {
    let mut repos: Vec<&str> = lessons.iter().map(|lesson| lesson.repo.as_str()).collect();
    repos.dedup();
    let fold_of =
        |lesson: &Lesson| repos.iter().position(|repo| *repo == lesson.repo).unwrap_or(0) % FOLDS;
    let n_signals =
        lessons.iter().find_map(|lesson| lesson.rows.first()).map_or(0, |(_, row)| row.len());
    let nought = vec![0.0; n_signals];
    let fitted: Vec<Vec<f32>> = (0..FOLDS)
        .map(|fold| {
            fit(
                &lessons
                    .iter()
                    .filter(|lesson| fold_of(lesson) != fold)
                    .copied()
                    .collect::<Vec<_>>(),
                &nought,
                without,
            )
        })
        .collect();
    quality(
        &lessons.iter().map(|lesson| (*lesson, &fitted[fold_of(lesson)][..])).collect::<Vec<_>>(),
    )
}

/// Formats Acc@1, Acc@5 and Acc@10 for each group, and for the Python cases with one correct file.
fn quality(judged: &[(&Lesson, &[f32])]) -> String {
    let mut out = String::new();
    for (group, name) in
        [(Group::Python, "Python"), (Group::Other, "other"), (Group::Chinese, "Chinese")]
    {
        let ranks: Vec<usize> = judged
            .iter()
            .filter(|(lesson, _)| lesson.group == group)
            .map(|(lesson, weights)| worst_rank(lesson, weights))
            .collect();
        let share = |k: usize| {
            100.0 * ranks.iter().filter(|rank| **rank <= k).count() as f64
                / ranks.len().max(1) as f64
        };
        let _ = write!(out, "{name} {:.1}/{:.1}/{:.1}  ", share(1), share(5), share(10));
    }
    let single: Vec<usize> = judged
        .iter()
        .filter(|(lesson, _)| lesson.group == Group::Python && lesson.one_file)
        .map(|(lesson, weights)| worst_rank(lesson, weights))
        .collect();
    let share = |k: usize| {
        100.0 * single.iter().filter(|rank| **rank <= k).count() as f64 / single.len().max(1) as f64
    };
    let _ = write!(out, "Python, one file {:.1}/{:.1}/{:.1}", share(1), share(5), share(10));
    out
}

fn worst_rank(lesson: &Lesson, weights: &[f32]) -> usize {
    let scores: Vec<(f32, bool)> =
        lesson.rows.iter().map(|(gold, row)| (dot(row, weights), *gold)).collect();
    let found = scores.iter().filter(|(_, gold)| *gold).count();
    if found < lesson.n_gold {
        return usize::MAX;
    }
    let lowest =
        scores.iter().filter(|(_, gold)| *gold).map(|(score, _)| *score).fold(f32::MAX, f32::min);
    scores.iter().filter(|(score, gold)| *score > lowest || (*gold && *score == lowest)).count()
}

fn dot(row: &[f32], weights: &[f32]) -> f32 {
    row.iter().zip(weights).map(|(value, weight)| value * weight).sum()
}

/// Fits the weights with the Adam optimiser, using all lessons in every step. The weights in `without` keep their
/// initial values. The penalty grows with the distance from the initial values. A weight cannot change its sign.
fn fit(lessons: &[&Lesson], start: &[f32], without: &[usize]) -> Vec<f32> {
    let n_signals = start.len();
    let (mut weights, mut mean, mut square) =
        (start.to_vec(), vec![0.0_f32; n_signals], vec![0.0_f32; n_signals]);
    let share = |group: Group| {
        1.0 / lessons.iter().filter(|lesson| lesson.group == group).count().max(1) as f32
    };
    let shares = [share(Group::Python), share(Group::Other), share(Group::Chinese)];
    for step in 1..=STEPS {
        let mut gradient = vec![0.0_f32; n_signals];
        for lesson in lessons {
            add_gradient(lesson, &weights, shares[lesson.group as usize], &mut gradient);
        }
        let warm = |decay: f32| 1.0 - decay.powi(step as i32);
        for slot in (0..n_signals).filter(|slot| !without.contains(slot)) {
            let slope = SHRINK * (weights[slot] - start[slot]) - gradient[slot];
            mean[slot] = 0.9 * mean[slot] + 0.1 * slope;
            square[slot] = 0.99 * square[slot] + 0.01 * slope * slope;
            weights[slot] -=
                RATE * (mean[slot] / warm(0.9)) / ((square[slot] / warm(0.99)).sqrt() + 1e-8);
            if start[slot] * weights[slot] < 0.0 {
                weights[slot] = 0.0;
            }
        }
    }
    weights
}

fn add_gradient(lesson: &Lesson, weights: &[f32], share: f32, gradient: &mut [f32]) {
    let scores: Vec<f32> = lesson.rows.iter().map(|(_, row)| dot(row, weights)).collect();
    let highest = scores.iter().copied().fold(f32::MIN, f32::max);
    let chances: Vec<f32> = scores.iter().map(|score| (score - highest).exp()).collect();
    let wrong: f32 = lesson
        .rows
        .iter()
        .zip(&chances)
        .filter(|((gold, _), _)| !gold)
        .map(|(_, chance)| chance)
        .sum();
    let share = share / lesson.n_gold.max(1) as f32;
    let mut pull = 0.0;
    for ((_, row), chance) in lesson.rows.iter().zip(&chances).filter(|((gold, _), _)| *gold) {
        let total = wrong + chance;
        add(gradient, row, share * (1.0 - chance / total));
        pull += share / total;
    }
    for ((_, row), chance) in lesson.rows.iter().zip(&chances).filter(|((gold, _), _)| !gold) {
        if pull * chance > 1e-7 {
            add(gradient, row, -pull * chance);
        }
    }
}

fn add(gradient: &mut [f32], row: &[f32], factor: f32) {
    for (slope, value) in gradient.iter_mut().zip(row) {
        *slope += factor * value;
    }
}
