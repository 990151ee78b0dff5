//! The table: what is sure enough, one Chinese word a line, sorted by bytes.

use std::fmt::Write;

use super::align::{Aligned, Cell};
use super::lexicon::Lexicon;
use super::pairs::Pairs;

/// What fewer corpora say may be chance or the name of one product's thing.
const LEAST_CORPORA: u32 = 3;
/// A word is called so at least this often.
const LEAST_CHANCE: f32 = 0.02;
/// And this much oftener than anything is called so.
const LEAST_LIFT: f32 = 4.0;
const MAX_TRANSLATIONS: usize = 8;

/// `登录 login=52 auth=11`: in how many of a hundred cases.
pub(super) fn render(aligned: &Aligned, lexicon: &Lexicon, pairs: &Pairs) -> String {
    let mut out = String::new();
    for (word, row) in lexicon.words.iter().zip(&aligned.rows) {
        let mut sure: Vec<&Cell> = row
            .iter()
            .filter(|cell| {
                cell.corpora >= LEAST_CORPORA
                    && cell.chance >= LEAST_CHANCE
                    && cell.chance >= LEAST_LIFT * aligned.usual[cell.english as usize]
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
