//! Fuzzes the readers of the event streams that `codex exec --json` and Claude Code print.

use runs::AgentKind;
use runs::fuzzing::{ReadRun, read_run};

/// The maximum length of the reason for the end of a run, in characters. It has room for one sentence and one line of
/// detail.
const MAX_REASON: usize = 500;

/// Reads the bytes as the output of a codex run and as the output of a Claude Code run. The first byte is the exit
/// code. The result must not depend on how the output is split into pieces.
pub fn codex_events(bytes: &[u8]) {
    let Some((first, output)) = bytes.split_first() else { return };
    let exit_code = i32::from(*first);
    for agent in [AgentKind::Codex, AgentKind::Claude] {
        let in_pieces = read_run(agent, output.chunks(7), exit_code);
        check(output, &read_run(agent, [output], exit_code), &in_pieces);
    }
}

fn check(output: &[u8], whole: &ReadRun, in_pieces: &ReadRun) {
    assert_eq!(whole, in_pieces, "the size of the pieces changed what was read");
    assert!(whole.reason.chars().count() <= MAX_REASON, "{}", whole.reason);
    assert!(whole.n_events <= output.len() as u64);
}
