//! The event stream of `codex exec --json`.

use codex::fuzzing::read_run;

/// Longest reason that a record keeps, in characters: one sentence and one line of detail.
const MAX_REASON: usize = 500;

/// Reads the bytes as the output of a codex run. The first byte is the exit code. The result must not depend on how
/// the output is split into pieces.
pub fn codex_events(bytes: &[u8]) {
    let Some((first, output)) = bytes.split_first() else { return };
    let exit_code = i32::from(*first);
    let whole = read_run([output], exit_code);
    let in_pieces = read_run(output.chunks(7), exit_code);
    assert_eq!(whole, in_pieces, "the size of the pieces changed what was read");
    assert!(whole.reason.chars().count() <= MAX_REASON, "{}", whole.reason);
    assert!(whole.n_events <= output.len() as u64);
}
