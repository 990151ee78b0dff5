//! Reads a prompt from the command line or from standard input.

use contract::ExitCode;

use crate::edge;
use crate::failure::Failure;

pub(crate) fn prompt(words: &[String]) -> Result<String, Failure> {
    let usage = |message: &str| {
        Failure::new(message, ExitCode::Usage)
            .hint("pass the prompt as arguments, or on stdin with `-`")
    };
    let text = if words.is_empty() || words == ["-"] {
        let input =
            edge::read_stdin().map_err(|error| usage(&format!("cannot read stdin: {error}")))?;
        String::from_utf8(input).map_err(|_| usage("the prompt on stdin is not UTF-8"))?
    } else {
        words.join(" ")
    };
    if text.trim().is_empty() { Err(usage("the prompt is missing")) } else { Ok(text) }
}
