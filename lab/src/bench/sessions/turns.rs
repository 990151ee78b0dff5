//! Loads the turns of recorded sessions.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use engine::{SessionContext, SessionFile};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::Value;

/// A prompt in a session, and the files that the agent edited and read afterwards.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::bench) struct Turn {
    pub(in crate::bench) id: String,
    pub(in crate::bench) repo: String,
    pub(in crate::bench) base_commit: String,
    pub(in crate::bench) session: String,
    pub(in crate::bench) turn: u32,
    pub(in crate::bench) prompt: String,
    pub(in crate::bench) previous_prompts: Vec<String>,
    pub(in crate::bench) prompt_lang: String,
    #[serde(default)]
    pub(in crate::bench) gold_edited: Vec<String>,
    #[serde(default)]
    pub(in crate::bench) gold_read: Vec<String>,
    #[serde(default)]
    pub(in crate::bench) label: String,
    /// A person's decision whether evidence is wanted: `true`, `false` or `"either"`.
    #[serde(default)]
    pub(in crate::bench) should_inject: Value,
}

impl Turn {
    /// Returns the name under which the index of the turn's tree is stored.
    pub(in crate::bench) fn tree_id(&self) -> String {
        let commit = self.base_commit.get(..12).unwrap_or_default();
        format!("{}-{commit}", self.repo.replace('/', "+"))
    }
}

/// Returns the turns grouped by tree.
pub(in crate::bench) fn by_tree(turns: &[Turn]) -> Vec<Vec<&Turn>> {
    let mut trees: BTreeMap<(&str, &str), Vec<&Turn>> = BTreeMap::new();
    for turn in turns {
        trees.entry((&turn.repo, &turn.base_commit)).or_default().push(turn);
    }
    trees.into_values().collect()
}

/// Reads a compressed file with one turn per line.
pub(in crate::bench) fn load(data: &Path) -> Result<Vec<Turn>, String> {
    let cannot =
        |error: &dyn std::fmt::Display| format!("cannot read `{}`: {error}", data.display());
    let file = File::open(data).map_err(|error| cannot(&error))?;
    let mut turns = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(GzDecoder::new(file)).lines()) {
        let line = line.map_err(|error| cannot(&error))?;
        let turn = serde_json::from_str(&line)
            .map_err(|error| format!("`{}`, line {number}: {error}", data.display()))?;
        turns.push(turn);
    }
    Ok(turns)
}

/// The turns of each session, in order.
pub(in crate::bench) struct Sessions<'a> {
    turns: BTreeMap<(&'a str, &'a str), Vec<&'a Turn>>,
}

impl<'a> Sessions<'a> {
    pub(in crate::bench) fn new(turns: &'a [Turn]) -> Self {
        let mut sessions: BTreeMap<_, Vec<&Turn>> = BTreeMap::new();
        for turn in turns {
            sessions.entry((turn.repo.as_str(), turn.session.as_str())).or_default().push(turn);
        }
        for turns in sessions.values_mut() {
            turns.sort_by_key(|turn| turn.turn);
        }
        Self { turns: sessions }
    }

    /// Returns the turns that precede `turn` in its session, oldest first.
    pub(in crate::bench) fn before(&self, turn: &Turn) -> Vec<&'a Turn> {
        let all = self.turns.get(&(turn.repo.as_str(), turn.session.as_str()));
        all.into_iter().flatten().filter(|other| other.turn < turn.turn).copied().collect()
    }

    /// Returns the activity in the session before `turn`, in the form in which a transcript describes it.
    pub(in crate::bench) fn context(&self, turn: &Turn) -> SessionContext {
        let mut context = SessionContext::default();
        for earlier in self.before(turn) {
            let prompts_ago = turn.turn - earlier.turn - 1;
            let mut add = |path: &String, is_edit| {
                context.files.push(SessionFile { path: path.clone(), is_edit, prompts_ago });
            };
            earlier.gold_read.iter().for_each(|path| add(path, false));
            earlier.gold_edited.iter().for_each(|path| add(path, true));
        }
        context.prompts.clone_from(&turn.previous_prompts);
        context
    }
}
