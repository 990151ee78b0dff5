use super::*;
use std::path::Path;

#[test]
fn typed_text_reaches_a_program_on_a_terminal() {
    let script = "if [ -t 0 ] && [ -t 1 ]; then echo 'a t'erminal; fi; read -r line; echo \"heard it's $line\"; exit 3";
    let launch = Launch::new("/bin/sh", Path::new("/")).arguments(["-c", script]);
    let mut terminal = launch.on_terminal();
    terminal.expect("a terminal");
    terminal.enter("word");
    terminal.expect("heard it's word");
    assert_eq!(terminal.exit_code(), Some(3));
}

#[test]
fn ctrl_c_is_a_signal() {
    let launch = Launch::new("/bin/sh", Path::new("/")).arguments([
        "-c",
        "trap 'echo caught; exit 5' INT; echo ready; while :; do sleep 0.1; done",
    ]);
    let mut terminal = launch.on_terminal();
    terminal.expect("ready");
    terminal.press(Terminal::CTRL_C);
    terminal.expect("caught");
    assert_eq!(terminal.exit_code(), Some(5));
}

#[test]
fn colours_and_movements_are_not_text() {
    assert_eq!(plain(b"\x1b[1;32mgreen\x1b[m\r\n\x1b]0;title\x07\x1b[?2004hx\x1b["), "green\nx");
}
