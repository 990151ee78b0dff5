use super::*;
use crate::covered::covered_content;

struct Place {
    _folder: tempfile::TempDir,
    repository: PathBuf,
    copies: PathBuf,
}

fn place(files: &[(&str, &str)]) -> Place {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().canonicalize().unwrap();
    let place = Place {
        repository: base.join("repository"),
        copies: base.join("state/copies"),
        _folder: folder,
    };
    for (path, text) in files {
        let path = place.repository.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    place
}

impl Place {
    fn trust(&self, commands: &[WrittenCommand]) -> TrustedContent {
        TrustedContent {
            text: "text".to_owned(),
            commands: commands.to_vec(),
            repository: self.repository.clone(),
            hash: covered_content("text", commands, &self.repository).unwrap(),
        }
    }

    /// Returns the verified command of a file with one command.
    fn verify(&self, command: &WrittenCommand) -> Result<Verified, VerifyError> {
        self.trust(std::slice::from_ref(command)).verify(command, Some(&self.copies))
    }

    fn n_copies(&self) -> usize {
        fs::read_dir(&self.copies).map_or(0, Iterator::count)
    }
}

fn program(words: &[&str]) -> WrittenCommand {
    WrittenCommand::Program(words.iter().map(|word| (*word).to_owned()).collect())
}

fn shell(text: &str) -> WrittenCommand {
    WrittenCommand::Shell(text.to_owned())
}

fn words(verified: &Verified) -> Vec<String> {
    match &verified.command {
        WrittenCommand::Program(words) => words.clone(),
        WrittenCommand::Shell(text) => text.split(' ').map(|w| w.replace('\'', "")).collect(),
    }
}

#[test]
fn a54_a_script_that_is_swapped_after_its_verification_does_not_run() {
    let place = place(&[("tools/check.sh", "one")]);
    for command in [
        program(&["tools/check.sh", "-x"]),
        program(&["sh", "-e", "./tools/check.sh"]),
        shell("sh tools/check.sh --fast"),
        shell("sh \"$ADJUTANT_ROOT/tools/check.sh\""),
    ] {
        fs::write(place.repository.join("tools/check.sh"), "one").unwrap();
        let verified = place.verify(&command).unwrap();
        fs::write(place.repository.join("tools/check.sh"), "two").unwrap();
        let words = words(&verified);
        let script = words.iter().find(|word| word.ends_with("check.sh")).unwrap();
        assert!(Path::new(script).starts_with(&place.copies), "{words:?}");
        assert_eq!(fs::read_to_string(script).unwrap(), "one", "{command:?}");
        assert_eq!(verified.script, Some(place.repository.join("tools/check.sh")));
    }
    assert_eq!(place.n_copies(), 0, "a copy was left");
}

#[test]
fn a54_a_changed_script_is_refused_and_leaves_no_copy() {
    let place = place(&[("check.sh", "one")]);
    let command = shell("sh check.sh");
    let trusted = place.trust(std::slice::from_ref(&command));
    fs::write(place.repository.join("check.sh"), "two").unwrap();
    let refused = trusted.verify(&command, Some(&place.copies)).unwrap_err();
    assert!(matches!(refused, VerifyError::Changed), "{refused}");
    fs::remove_file(place.repository.join("check.sh")).unwrap();
    trusted.verify(&command, Some(&place.copies)).unwrap_err();
    assert_eq!(place.n_copies(), 0);
    fs::write(place.repository.join("check.sh"), "one").unwrap();
    trusted.verify(&command, Some(&place.copies)).unwrap();
    let refused = trusted.verify(&command, None).unwrap_err();
    assert!(matches!(refused, VerifyError::NotCopied(_)), "{refused}");
}

/// A covered command must not become uncovered, because an uncovered command does not run from a copy.
#[test]
fn a54_a_covered_command_does_not_become_uncovered_when_it_is_verified() {
    let place = place(&[("check.sh", "one")]);
    let (covered, uncovered) = (shell("sh check.sh"), shell("make hook"));
    let trusted = place.trust(&[covered.clone(), uncovered.clone()]);
    trusted.verify(&covered, Some(&place.copies)).unwrap();
    let verified = trusted.verify(&uncovered, Some(&place.copies)).unwrap();
    assert_eq!((&verified.command, &verified.script), (&uncovered, &None));
    // At the moment of the judgement, the script is not a file of the repository.
    let without = judge(&trusted.commands, Path::new("/nonexistent"));
    let hash = hash_and_copy("text", &trusted.commands, &without, &place.repository, |_, _| {
        Ok(Box::new(io::sink()))
    });
    assert_ne!(hash.unwrap(), trusted.hash);
}

#[test]
fn a54_the_arguments_that_name_trusted_files_name_their_copies() {
    let files = [("tools/check.sh", "one"), ("tools/rules", "rules"), ("test", ""), ("-e", "")];
    let place = place(&files);
    let mut command = vec!["sh", "-e", "tools/check.sh", "test", "tools/rules"];
    command.extend(["--rules=tools/rules", "tools", "/etc/passwd", "a=b"]);
    let verified = place.verify(&program(&command)).unwrap();
    let words = words(&verified);
    let copy = Path::new(&words[2]).parent().unwrap().parent().unwrap();
    let rules = copy.join("tools/rules").display().to_string();
    assert_eq!(words[..2], ["sh", "-e"]);
    assert_eq!(words[3..6], ["test", &rules, &format!("--rules={rules}")]);
    assert_eq!(words[6..], ["tools", "/etc/passwd", "a=b"]);
    assert_eq!(fs::read_to_string(rules).unwrap(), "rules");
}

#[test]
fn a54_a_copied_script_finds_the_files_next_to_it_and_above_it() {
    let files = [
        ("tools/check.sh", "one"),
        ("tools/lib.sh", "lib"),
        ("src/a.rs", "a"),
        (".git/config", ""),
    ];
    let place = place(&files);
    let path = place.repository.join("tools/check.sh");
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    let verified = place.verify(&program(&["tools/check.sh"])).unwrap();
    let script = PathBuf::from(&words(&verified)[0]);
    assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o500);
    let tools = script.parent().unwrap();
    assert_eq!(fs::read_to_string(tools.join("lib.sh")).unwrap(), "lib");
    assert_eq!(fs::read_to_string(tools.join("../src/a.rs")).unwrap(), "a");
    assert!(!tools.join("../.git").exists(), "git would treat the copy as a work tree");
    drop(verified);
    assert_eq!(place.n_copies(), 0);
    assert_eq!(fs::read_to_string(place.repository.join("tools/lib.sh")).unwrap(), "lib");
}

#[test]
fn a54_words_with_quotation_marks_and_spaces_stay_words() {
    let place = place(&[("a b.sh", "one")]);
    let verified = place.verify(&shell("sh 'a b.sh' \"it's\" ''")).unwrap();
    let WrittenCommand::Shell(text) = &verified.command else { panic!("{verified:?}") };
    assert!(text.starts_with("'sh' '") && text.ends_with(r"/a b.sh' 'it'\''s' ''"), "{text}");
}

#[test]
fn a54_copies_of_killed_processes_are_removed() {
    let place = place(&[("check.sh", "one")]);
    let (old, new) = (place.copies.join("1-0"), place.copies.join("1-1"));
    for left in [&old, &new] {
        fs::create_dir_all(left.join("tools")).unwrap();
    }
    disk::create_private_folder(&place.copies).unwrap();
    let long_ago = fs::metadata(&old).unwrap().modified().unwrap() - 2 * MAX_AGE;
    File::open(&old).unwrap().set_modified(long_ago).unwrap();
    place.verify(&program(&["sh", "check.sh"])).unwrap();
    assert!(!old.exists() && new.exists());
}
