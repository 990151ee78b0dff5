//! Printing, in one place: a chore talks to a person.

use std::io::Write;

pub(crate) fn say(text: &str) {
    drop(writeln!(std::io::stdout().lock(), "{text}"));
}

pub(crate) fn talk(text: &str) {
    drop(writeln!(std::io::stderr().lock(), "{text}"));
}
