//! Finds values that a phrase separates from their name.

/// Maximum number of bytes of prose between a name and its value: `the password of the staging database is …`.
const MAX_PROSE: usize = 48;

/// Returns the start of a value that a short phrase separates from its name: `password for the replica is …`.
pub(super) fn prose_value(text: &str, is_verb: bool, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let window = &bytes[from..bytes.len().min(from + MAX_PROSE)];
    let length = window
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'"' | b'\'' | b'=' | b'(' | b'{' | b';' | b'.'))
        .unwrap_or(window.len());
    let phrase = &window[..length];
    crate::work::count(length);
    // `reset the password to …`
    if phrase.starts_with(b"to ") && !is_verb {
        return Some(from + "to ".len());
    }
    let after = [" is ", ": ", " - ", "是", "为", "：", "改成", "设成", "换成"]
        .iter()
        .filter_map(|mark| memchr::memmem::find(phrase, mark.as_bytes()).map(|at| at + mark.len()))
        .min()?;
    let rest = &phrase[after..];
    let particle = ["了", "："]
        .iter()
        .find(|sign| rest.starts_with(sign.as_bytes()))
        .map_or(0, |sign| sign.len());
    let blanks = rest[particle..].iter().take_while(|byte| **byte == b' ').count();
    Some(from + after + particle + blanks)
}
