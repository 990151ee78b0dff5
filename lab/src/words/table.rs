//! Writes the table of reliable translations, with one Chinese word per line, in byte order.

use std::fmt::Write;

use super::align::{Aligned, Cell};
use super::lexicon::Lexicon;
use super::pairs::Pairs;

/// The minimum number of corpora that support a translation. A rarer translation may be coincidental or a product name.
const MIN_CORPORA: u32 = 3;
/// The minimum value of [`Cell::chance`] for a translation.
const MIN_CHANCE: f32 = 0.02;
/// The minimum ratio of [`Cell::chance`] to the share of all pairs that contain the code word.
const MIN_LIFT: f32 = 4.0;
const MAX_TRANSLATIONS: usize = 8;

/// Formats the table. An example of a line is `登录 login=52 auth=11`, with shares in percent.
pub(super) fn render(aligned: &Aligned, lexicon: &Lexicon, pairs: &Pairs) -> String {
    let mut out = String::new();
    for (word, row) in lexicon.words.iter().zip(&aligned.rows) {
        let mut sure: Vec<&Cell> = row
            .iter()
            .filter(|cell| {
                cell.corpora >= MIN_CORPORA
                    && cell.chance >= MIN_CHANCE
                    && cell.chance >= MIN_LIFT * aligned.usual[cell.english as usize]
            })
            .collect();
        let english = |cell: &Cell| &pairs.english[cell.english as usize];
        sure.sort_by(|a, b| b.chance.total_cmp(&a.chance).then_with(|| english(a).cmp(english(b))));
        sure.truncate(MAX_TRANSLATIONS);
        if sure.is_empty() {
            continue;
        }
        out.push_str(word);
        for cell in sure {
            let _ = write!(out, " {}={:.0}", english(cell), 100.0 * cell.chance);
        }
        out.push('\n');
    }
    out
}
