//! Reads the collections, which are compressed files with one JSON object per line.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
pub(crate) struct SecretSample {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) secrets: Vec<String>,
    pub(crate) source: String,
    #[serde(default)]
    pub(crate) rule: String,
}

#[derive(Deserialize)]
pub(crate) struct Attack {
    pub(crate) text: String,
    pub(crate) source: String,
    pub(crate) kind: String,
    pub(crate) lang: String,
    pub(crate) tier: String,
}

#[derive(Deserialize)]
pub(crate) struct Benign {
    pub(crate) text: String,
    pub(crate) source: String,
    pub(crate) kind: String,
    pub(crate) hard: Option<String>,
    pub(crate) lang: String,
}

/// One line of an `--injection` collection.
#[derive(Deserialize)]
pub(crate) struct Sample {
    pub(crate) text: String,
    pub(crate) source: String,
}

/// Reads a collection in the same way as [`read`], from a file that is not compressed.
pub(crate) fn read_plain<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    let file = File::open(path)
        .map_err(|error| io::Error::other(format!("cannot read `{}`: {error}", path.display())))?;
    BufReader::new(file)
        .lines()
        .map(|line| serde_json::from_str(&line?).map_err(io::Error::other))
        .collect()
}

pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<Vec<T>> {
    let file = File::open(path)
        .map_err(|error| io::Error::other(format!("cannot read `{}`: {error}", path.display())))?;
    BufReader::new(GzDecoder::new(file))
        .lines()
        .map(|line| serde_json::from_str(&line?).map_err(io::Error::other))
        .collect()
}

/// Shortens text to one line of at most `width` characters, for the list of misses.
pub(crate) fn shorten(text: &str, width: usize) -> String {
    text.replace('\n', "⏎").chars().take(width).collect()
}
