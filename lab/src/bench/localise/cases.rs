//! Loads the prompts with known answers.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde::{Deserialize, Deserializer};

use super::trees::Revision;

/// A prompt and its correct files, which are the files that answer it. The data set of questions has other names for
/// some fields.
#[derive(Clone, Debug, Deserialize)]
pub(in crate::bench) struct Case {
    pub(in crate::bench) id: String,
    pub(in crate::bench) repo: String,
    #[serde(alias = "commit")]
    pub(in crate::bench) base_commit: String,
    pub(in crate::bench) lang: Option<String>,
    #[serde(default)]
    pub(in crate::bench) prompt_lang: String,
    #[serde(alias = "query")]
    pub(in crate::bench) prompt: String,
    /// The paths of the correct files.
    #[serde(rename = "gold_files", alias = "gold", deserialize_with = "paths")]
    pub(in crate::bench) gold: Vec<String>,
    #[serde(default)]
    pub(in crate::bench) gold_functions: Option<Vec<String>>,
    #[serde(default, rename = "prompt_names_gold_file")]
    pub(in crate::bench) names_gold: bool,
    pub(in crate::bench) source: String,
}

/// A correct file.
#[derive(Deserialize)]
#[serde(untagged)]
enum Gold {
    Path(String),
    Target { path: String },
}

fn paths<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let gold = Vec::<Gold>::deserialize(deserializer)?;
    let path = |gold: Gold| match gold {
        Gold::Path(path) | Gold::Target { path } => path,
    };
    Ok(gold.into_iter().map(path).collect())
}

impl Case {
    pub(in crate::bench) fn revision(&self) -> Revision<'_> {
        Revision { id: &self.id, repo: &self.repo, commit: &self.base_commit }
    }
}

/// Returns the cases that have an answer, sorted by repository. If `sample` is set, returns about that many cases, evenly
/// spaced.
pub(in crate::bench) fn load(
    data: &Path,
    sample: Option<usize>,
    language: Option<&str>,
) -> Result<Vec<Case>, String> {
    let file =
        File::open(data).map_err(|error| format!("cannot read `{}`: {error}", data.display()))?;
    let mut cases = Vec::new();
    for line in BufReader::new(GzDecoder::new(file)).lines() {
        let line = line.map_err(|error| format!("cannot read `{}`: {error}", data.display()))?;
        let case: Case =
            serde_json::from_str(&line).map_err(|error| format!("bad case: {error}"))?;
        let wanted =
            |wanted: &str| case.lang.as_deref() == Some(wanted) || case.prompt_lang == wanted;
        if !case.gold.is_empty() && language.is_none_or(wanted) {
            cases.push(case);
        }
    }
    cases.sort_by(|a, b| (&a.repo, &a.id).cmp(&(&b.repo, &b.id)));
    let step = sample.map_or(1, |sample| cases.len().div_ceil(sample.max(1)).max(1));
    Ok(cases.into_iter().step_by(step).collect())
}
