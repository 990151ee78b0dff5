//! `adjutant index --push` and `--pull` between two homes, with folder, web and S3-compatible stores.

mod servers;

use std::fs;
use std::net::TcpListener;
use std::path::PathBuf;

use object::{Object, ObjectSymbol, SymbolKind};
use serde_json::Value;
use testkit::{Finished, Launch, Repository};

use crate::fixture::{ADJUTANT, HOOK};
use servers::{CuttingServer, S3Server, WebServer};

const N_FILES: usize = 45;

/// A team member with a clone of the repository and a separate home.
struct Member {
    home: tempfile::TempDir,
    clone: PathBuf,
}

/// A repository, its author with the private key, and a member who trusts the public key.
struct Team {
    repository: Repository,
    author: Member,
    member: Member,
    key: String,
    folder: tempfile::TempDir,
}

fn repository() -> Repository {
    let mut builder = Repository::builder()
        .file(
            "src/total.ts",
            "export function totalOfZebra(items: number[]) {\n  return items.length;\n}\n",
        )
        .file(
            "src/budget.py",
            "class RetryBudget:\n    def spend(self):\n        return limit_of_zebra(self)\n",
        )
        .file(
            "src/keys.py",
            "AWS_KEY = 'AKIAQ7ZLMC3VNPRTXW2D'\n\n\ndef sign_zebra(request):\n    return request\n",
        )
        .file("image.png", b"\x89PNG\0\0binary".to_vec())
        .file(".env", "QUAGGA_SECRET_WORD=1\n");
    // `.env` is not indexed.
    for number in 0..N_FILES - 4 {
        builder = builder.file(
            format!("src/part{number}.rs"),
            format!(
                "/// Part {number}.\npub fn part_{number}(x: u32) -> u32 {{\n    x + {number}\n}}\n"
            ),
        );
    }
    builder.commit("Add the parts").build()
}

impl Member {
    fn of(repository: &Repository) -> Self {
        let home = tempfile::tempdir().unwrap();
        let clone = home.path().join("clone");
        let to = clone.to_str().unwrap();
        repository.git(&["clone", "--quiet", repository.path().to_str().unwrap(), to]);
        fs::write(clone.join(".env"), "QUAGGA_SECRET_WORD=1\n").unwrap();
        Self { home, clone }
    }

    fn launch(&self, program: &str) -> Launch {
        Launch::new(program, &self.clone)
            .env("HOME", self.home.path())
            .env("ADJUTANT_CACHE_DIR", self.home.path().join("cache"))
            .env("ADJUTANT_CONFIG_DIR", self.home.path().join("config"))
    }

    fn run(&self, arguments: &[&str]) -> Finished {
        self.launch(ADJUTANT).arguments(arguments).run()
    }

    #[track_caller]
    fn json(&self, arguments: &[&str]) -> Value {
        json(&self.run(arguments))
    }
}

#[track_caller]
fn json(finished: &Finished) -> Value {
    assert_eq!(finished.exit_code, Some(0), "{finished:#?}");
    serde_json::from_str(&finished.stdout).unwrap_or_else(|error| panic!("{error}: {finished:#?}"))
}

fn team() -> Team {
    let repository = repository();
    let (author, member) = (Member::of(&repository), Member::of(&repository));
    let key = author.run(&["team-key", "create"]).expect_success().stdout.trim().to_owned();
    member.run(&["team-key", "trust", &key]).expect_success();
    let folder = tempfile::tempdir().unwrap();
    Team { repository, author, member, key, folder }
}

impl Team {
    fn url(&self) -> String {
        format!("file://{}", self.folder.path().display())
    }

    fn pushed(self) -> Self {
        self.author.run(&["index", "--push", &self.url()]).expect_success();
        self
    }

    fn objects(&self) -> Vec<PathBuf> {
        let base = fs::read_dir(self.folder.path().join("adjutant")).unwrap().next().unwrap();
        let base = base.unwrap().path();
        let mut objects = vec![base.join("catalogue")];
        for folder in ["lists", "packs"] {
            let entries = fs::read_dir(base.join(folder)).unwrap();
            objects.extend(entries.map(|entry| entry.unwrap().path()));
        }
        objects
    }
}

/// Checks that the index is complete although no file was parsed.
#[track_caller]
fn expect_reused(pulled: &Value) {
    assert_eq!(pulled["analysed"], 0, "{pulled}");
    assert_eq!(pulled["files"], N_FILES, "{pulled}");
    assert_eq!(pulled["pulled"]["contents"], N_FILES, "{pulled}");
}

#[test]
fn a50_a_second_home_parses_nothing_that_the_team_has_pushed() {
    let team = team();
    let pushed = team.author.json(&["index", "--push", &team.url(), "--json"]);
    assert_eq!(pushed["pushed"]["contents"], N_FILES, "{pushed}");
    assert_eq!(pushed["pushed"]["redacted"], 1, "{pushed}");
    let pulled = team.member.json(&["index", "--pull", &team.url(), "--json"]);
    expect_reused(&pulled);
    let prompt = serde_json::json!({
        "hook_event_name": "UserPromptSubmit", "prompt": "where is totalOfZebra defined?",
        "cwd": team.member.clone, "session_id": "s",
    });
    let hook = team.member.launch(HOOK).input(prompt.to_string()).run().expect_success();
    // The quoted line is read from the local tree.
    assert!(
        hook.stdout.contains("src/total.ts") && hook.stdout.contains("items: number[]"),
        "{hook:#?}"
    );
    // A second push writes nothing, and only a changed file is parsed.
    let again = team.author.json(&["index", "--push", &team.url(), "--json"]);
    assert_eq!(again["pushed"]["contents"], 0, "{again}");
    fs::write(team.member.clone.join("src/part0.rs"), "pub fn part_changed() {}\n").unwrap();
    let changed = team.member.json(&["index", "--pull", &team.url(), "--json"]);
    assert_eq!(
        (&changed["analysed"], &changed["pulled"]["contents"]),
        (&1.into(), &0.into()),
        "{changed}"
    );
    let text = team.member.run(&["index", "--pull", &team.url()]).expect_success().stdout;
    assert!(text.contains("parsed ") && text.contains("reused "), "{text}");
}

#[test]
fn the_answers_are_those_of_an_index_that_was_built_locally() {
    let team = team().pushed();
    let local = Member::of(&team.repository);
    // The facts of this file contain fewer words, because a secret was removed.
    for member in [&team.member, &local] {
        fs::remove_file(member.clone.join("src/keys.py")).unwrap();
    }
    let pulled = team.member.json(&["index", "--pull", &team.url(), "--json"]);
    assert_eq!(pulled["analysed"], 0, "{pulled}");
    for arguments in
        [["search", "zebra budget"], ["callers", "limit_of_zebra"], ["search", "part_7"]]
    {
        let with_json = [arguments[0], arguments[1], "--json"];
        assert_eq!(team.member.run(&with_json).stdout, local.run(&with_json).stdout);
    }
}

#[test]
fn an_s3_store_is_pushed_and_pulled_with_signed_requests() {
    let (team, server) = (team(), S3Server::start());
    let url = "s3://team/facts/main";
    let run = |member: &Member, secret: &str, arguments: &[&str]| {
        let launch = member.launch(ADJUTANT).env("AWS_ENDPOINT_URL", &server.endpoint);
        let launch = launch.env("AWS_ACCESS_KEY_ID", &server.key).env("AWS_REGION", "us-east-1");
        launch.env("AWS_SECRET_ACCESS_KEY", secret).arguments(arguments).run()
    };
    let pushed = json(&run(&team.author, &server.secret, &["index", "--push", url, "--json"]));
    assert_eq!(pushed["pushed"]["contents"], N_FILES, "{pushed}");
    let again = json(&run(&team.author, &server.secret, &["index", "--push", url, "--json"]));
    assert_eq!(again["pushed"]["contents"], 0, "{again}");
    expect_reused(&json(&run(&team.member, &server.secret, &["index", "--pull", url, "--json"])));
    let kept =
        run(&team.author, &server.secret, &["index", "--gc-store", url, "--older-than", "1d"]);
    assert!(kept.expect_success().stdout.contains("deleted 0 packs"));
    let wrong = run(&team.member, "WrongSecret1234567890", &["index", "--pull", url]);
    assert_eq!(wrong.exit_code, Some(40), "{wrong:#?}");
    assert!(wrong.stderr.contains("cannot read `catalogue`"), "{wrong:#?}");
    assert!(!wrong.stderr.contains("WrongSecret"), "{wrong:#?}");
    let without = team.member.run(&["index", "--pull", url]);
    assert_eq!(without.exit_code, Some(20), "{without:#?}");
    assert!(without.stderr.contains("hint: set AWS_ACCESS_KEY_ID"), "{without:#?}");
}

#[test]
fn a_web_store_is_pulled_although_a_connection_was_lost_and_cannot_be_pushed_to() {
    let team = team().pushed();
    let cutting = CuttingServer::of(team.folder.path());
    let finished = team.member.run(&["index", "--pull", &cutting.url]);
    assert_eq!(finished.exit_code, Some(40), "{finished:#?}");
    assert!(finished.stderr.contains("cannot read `packs/"), "{finished:#?}");
    let server = WebServer::of(team.folder.path());
    expect_reused(&team.member.json(&["index", "--pull", &server.url, "--json"]));
    let refused = team.author.run(&["index", "--push", &server.url]);
    assert_eq!(refused.exit_code, Some(20), "{refused:#?}");
    assert!(refused.stderr.contains("are read-only"), "{refused:#?}");
}

#[test]
fn a50_a_flipped_bit_in_any_object_is_refused_with_its_name() {
    let team = team().pushed();
    for path in team.objects() {
        let intact = fs::read(&path).unwrap();
        let mut damaged = intact.clone();
        damaged[intact.len() / 2] ^= 4;
        fs::write(&path, damaged).unwrap();
        let refused = team.member.run(&["index", "--pull", &team.url()]);
        let name = path.file_name().unwrap().to_str().unwrap();
        assert_eq!(refused.exit_code, Some(40), "{refused:#?}");
        assert!(
            refused.stderr.contains(name) && refused.stderr.contains("refused"),
            "{refused:#?}"
        );
        fs::write(&path, intact).unwrap();
    }
    expect_reused(&team.member.json(&["index", "--pull", &team.url(), "--json"]));
}

#[test]
fn a50_objects_of_another_key_are_refused_and_keys_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let team = team().pushed();
    let stranger = Member::of(&team.repository);
    let without = stranger.run(&["index", "--pull", &team.url()]);
    assert_eq!(without.exit_code, Some(20), "{without:#?}");
    assert!(without.stderr.contains("no team key is trusted"), "{without:#?}");
    let other = stranger.run(&["team-key", "create"]).expect_success().stdout;
    let refused = stranger.run(&["index", "--pull", &team.url()]);
    assert_eq!(refused.exit_code, Some(40), "{refused:#?}");
    let short = &team.key.rsplit(':').next().unwrap()[..16];
    assert!(refused.stderr.contains(&format!("signed with the key {short}")), "{refused:#?}");
    assert_eq!(stranger.run(&["index", "--push", &team.url()]).exit_code, Some(40));
    let unsigned = team.member.run(&["index", "--push", &team.url()]);
    assert!(unsigned.stderr.contains("the private key for signing is missing"), "{unsigned:#?}");
    let path = team.author.home.path().join("config/team-keys/signing.key");
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    let private = fs::read_to_string(&path).unwrap();
    assert!(!team.author.run(&["team-key", "list"]).stdout.contains(private.trim()));
    assert_eq!(team.author.run(&["team-key", "create"]).exit_code, Some(20));
    assert_eq!(fs::read_to_string(&path).unwrap(), private);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let open = team.author.run(&["index", "--push", &team.url()]);
    assert!(
        open.stderr.contains("other users can read") && open.stderr.contains("chmod 600"),
        "{open:#?}"
    );
    // The key can come from the environment, and a removed key is no longer accepted.
    let launch = stranger.launch(ADJUTANT).env("ADJUTANT_SIGNING_KEY", private.trim());
    launch.arguments(["index", "--pull", &team.url()]).run().expect_success();
    team.member.run(&["team-key", "remove", short]).expect_success();
    assert_eq!(team.member.run(&["index", "--pull", &team.url()]).exit_code, Some(20));
    assert_eq!(team.member.run(&["team-key", "trust", "nonsense"]).exit_code, Some(20));
    assert_eq!(stranger.run(&["team-key", "trust", other.trim()]).exit_code, Some(0));
}

#[test]
fn a_dry_run_says_what_would_be_pushed_and_writes_nothing() {
    let team = team();
    let dry = team.author.run(&["index", "--push", &team.url(), "--dry-run"]).expect_success();
    assert!(
        dry.stdout.contains(&format!("would push the facts of {N_FILES} contents")),
        "{dry:#?}"
    );
    assert!(dry.stdout.contains("secrets were removed from the facts of 1 content"), "{dry:#?}");
    assert_eq!(fs::read_dir(team.folder.path()).unwrap().count(), 0);
    let alone = team.author.run(&["index", "--dry-run"]);
    assert_eq!(alone.exit_code, Some(2), "{alone:#?}");
}

#[test]
fn the_setting_pulls_and_a_store_that_fails_does_not_stop_a_build() {
    let team = team().pushed();
    let index = |member: &Member, store: &str| {
        member
            .launch(ADJUTANT)
            .env("ADJUTANT_INDEX_STORE", store)
            .arguments(["index", "--json"])
            .run()
    };
    assert_eq!(json(&index(&team.member, &team.url()))["analysed"], 0);
    let other = Member::of(&team.repository);
    for store in ["https://build:hunter2x@localhost:1/", &team.url(), "nonsense", "s3://bucket"] {
        other.run(&["index", "--delete"]).expect_success();
        let built = index(&other, store);
        assert_eq!(json(&built)["analysed"], N_FILES, "{store}");
        assert!(built.stderr.contains("ADJUTANT_INDEX_STORE is not used"), "{built:#?}");
        assert!(!built.stderr.contains("hunter2x"), "{built:#?}");
    }
}

#[test]
fn a_prompt_does_not_use_the_network_and_its_program_contains_no_client() {
    let team = team().pushed();
    team.member.run(&["index", "--pull", &team.url()]).expect_success();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let store = format!("http://{}/", listener.local_addr().unwrap());
    let prompt = serde_json::json!({
        "hook_event_name": "UserPromptSubmit", "prompt": "where is totalOfZebra defined?",
        "cwd": team.member.clone, "session_id": "s",
    });
    let hook =
        team.member.launch(HOOK).env("ADJUTANT_INDEX_STORE", store).input(prompt.to_string());
    assert!(hook.run().expect_success().stdout.contains("src/total.ts"));
    assert_eq!(listener.accept().unwrap_err().kind(), std::io::ErrorKind::WouldBlock);
    assert!(has_client(ADJUTANT));
    assert!(!has_client(HOOK));
}

/// Returns whether a program contains the client of a store. The program must have symbols, which a debug build has.
fn has_client(program: &str) -> bool {
    let bytes = fs::read(program).unwrap();
    let file = object::File::parse(bytes.as_slice()).unwrap();
    // The names of source files remain in a program even if none of their code does.
    let functions = file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text);
    let mut names = functions.filter_map(|symbol| symbol.name().ok());
    names.any(|name| name.contains("object_store") || name.contains("rustls"))
}

#[test]
fn a_password_in_an_address_is_not_printed() {
    let team = team();
    for url in [
        "https://build:hunter2x@localhost:1/",
        "http://build:hunter2x@example.org/",
        "ftp://a:hunter2x@b/",
    ] {
        let finished = team.member.run(&["index", "--pull", url]);
        assert_ne!(finished.exit_code, Some(0));
        let printed = format!("{}{}", finished.stdout, finished.stderr);
        assert!(!printed.contains("hunter2x"), "{finished:#?}");
    }
}
