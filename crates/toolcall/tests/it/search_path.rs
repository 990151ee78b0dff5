//! Tests that a trusted hook or tool of a repository starts no program from a folder of the repository that is on `PATH`
//! (A54).

use std::path::Path;
use std::sync::Arc;

use policy::{Verified, WrittenCommand};
use toolcall::{CallStatus, Implementation, ToolProgram};

use crate::fixture::{Fixture, action};
use crate::trusted::{program, project_actions, trust};

/// Creates a repository with its own programs `sh` and `cat` in `bin`, which come first on `PATH`.
fn with_own_programs(folder: &str) -> Fixture {
    let mut fixture = Fixture::new();
    for name in ["sh", "cat"] {
        let trap = "#!/bin/sh\necho own >> \"$NOTES/own\"\n";
        testkit::write_executable(&fixture.root.join("bin").join(name), trap);
    }
    fixture.write(&fixture.root.join("tools/check.sh"), "echo ran >> \"$NOTES/ran\"\n");
    fixture.write(&fixture.root.join("README"), "");
    let folder = folder.replace("ROOT", &fixture.root.display().to_string());
    fixture.environment =
        fixture.environment.clone().with("PATH", format!("{folder}:/usr/bin:/bin"));
    fixture
}

#[test]
fn a54_a_hook_of_a_repository_starts_no_program_from_its_folders() {
    for folder in ["bin", "ROOT/bin", "ROOT/tools/../bin", "/proc/self/cwd/bin"] {
        let fixture = with_own_programs(folder);
        let actions = [
            action("sh tools/check.sh"),
            action("cat README"),
            program(&["sh", "tools/check.sh"]),
            program(&["cat", "README"]),
        ];
        project_actions(&fixture, &actions);
        trust(&fixture);
        assert_eq!(fixture.call().record.status, CallStatus::Ok, "{folder}");
        assert_eq!((fixture.note("own"), fixture.note("ran").lines().count()), (String::new(), 2));
    }
}

#[test]
fn a54_the_users_own_hooks_keep_their_path() {
    let fixture = with_own_programs("ROOT/bin");
    fixture.before("cat README");
    assert_eq!(fixture.call().record.status, CallStatus::Ok);
    assert_eq!(fixture.note("own"), "own\n");
}

#[test]
fn a54_a_tool_of_a_repository_starts_no_program_from_its_folders() {
    for folder in ["bin", "ROOT/bin"] {
        let mut fixture = with_own_programs(folder);
        let tool = |directory: &Path| {
            let command = ["sh", "tools/check.sh"].map(str::to_owned).to_vec();
            let command = WrittenCommand::Program(command);
            Implementation::program(ToolProgram {
                directory: Some(directory.to_owned()),
                verify: Arc::new(move || Ok(Verified::unchecked(command.clone()))),
            })
        };
        fixture.toolbox.put("ci_search", tool(&fixture.root));
        assert_eq!(fixture.call().record.status, CallStatus::Ok, "{folder}");
        assert_eq!((fixture.note("own"), fixture.note("ran")), (String::new(), "ran\n".to_owned()));
        fixture.toolbox.put("ci_search", Implementation::command("cat"));
        fixture.call();
        assert_eq!(fixture.note("own"), "own\n", "a tool of the user");
    }
}
