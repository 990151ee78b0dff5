//! `--version` of each program, and the build script that sets it.

use std::fs;
use std::path::{Path, PathBuf};

use testkit::{Launch, Repository};

use crate::fixture::{ADJUTANT, HOOK};

const PACKAGE: &str = env!("CARGO_PKG_VERSION");

#[test]
fn all_programs_print_the_same_version() {
    let folder = tempfile::tempdir().unwrap();
    let version = |program: &str| {
        let printed = Launch::new(program, folder.path()).argument("--version").run();
        printed.expect_success().stdout
    };
    let shown = version(ADJUTANT);
    let rest = shown.strip_prefix(&format!("adjutant {PACKAGE}")).expect("name and version");
    let rest = rest.trim_end();
    assert!(rest.is_empty() || (rest.starts_with(" (") && rest.ends_with(')')), "{shown}");
    assert_eq!(version(HOOK).trim_end(), format!("adjutant-hook {PACKAGE}{rest}"));
    let codex_auto = version(env!("CARGO_BIN_EXE_codex-auto"));
    assert_eq!(codex_auto.trim_end(), format!("codex-auto {PACKAGE}{rest}"));
}

/// The compiled build script.
struct Script {
    folder: tempfile::TempDir,
}

impl Script {
    #[expect(clippy::disallowed_methods, reason = "rustup finds the compiler with these variables")]
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("build.rs");
        let compiler = std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), PathBuf::from);
        let home = |name: &str| std::env::var_os(name).unwrap_or_default();
        Launch::new(compiler, folder.path())
            .arguments(["--edition", "2024", "-A", "warnings", "-o", "script"])
            .argument(source)
            .env("HOME", home("HOME"))
            .env("RUSTUP_HOME", home("RUSTUP_HOME"))
            .run()
            .expect_success();
        Self { folder }
    }

    /// Returns the version that the script sets for a crate in `folder`.
    fn version(&self, folder: &Path, environment: &[(&str, &str)]) -> String {
        let launch = Launch::new(self.folder.path().join("script"), self.folder.path())
            .env("CARGO_PKG_VERSION", "9.8.7")
            .env("CARGO_MANIFEST_DIR", folder)
            .env("PROFILE", "release");
        let launch =
            environment.iter().fold(launch, |launch, (name, value)| launch.env(name, value));
        let printed = launch.run().expect_success().stdout;
        let set = printed
            .lines()
            .find_map(|line| line.strip_prefix("cargo::rustc-env=ADJUTANT_BUILD_VERSION="));
        set.expect("the version is set").to_owned()
    }
}

#[test]
fn the_version_names_the_commit_and_its_date_in_a_checkout() {
    let script = Script::new();
    let checkout =
        Repository::builder().file("crates/adjutant/build.rs", "").commit("init").build();
    let commit = checkout.git(&["rev-parse", "HEAD"]);
    let date = checkout.git(&["log", "-1", "--format=%cs"]);
    let expected = format!("9.8.7 ({} {})", &commit[..9], date.trim());
    assert_eq!(script.version(&checkout.join("crates/adjutant"), &[]), expected);

    let packaged = [
        ("ADJUTANT_BUILD_COMMIT", "0123456789abcdef0123456789abcdef01234567"),
        ("ADJUTANT_BUILD_DATE", "2026-11-16"),
    ];
    for profile in ["release", "debug"] {
        let environment = [packaged[0], packaged[1], ("PROFILE", profile)];
        let shown = script.version(&checkout.join("crates/adjutant"), &environment);
        assert_eq!(shown, "9.8.7 (012345678 2026-11-16)");
    }
    let debug = script.version(&checkout.join("crates/adjutant"), &[("PROFILE", "debug")]);
    assert_eq!(debug, "9.8.7 (debug build)");

    // Outside of a checkout, the version is printed alone.
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("crates/adjutant");
    fs::create_dir_all(&copy).unwrap();
    assert_eq!(script.version(&copy, &[]), "9.8.7");
    // If the crate is a copy in another repository, it is not built from a commit of that repository.
    let other =
        Repository::builder().file("vendor/crates/adjutant/build.rs", "").commit("x").build();
    assert_eq!(script.version(&other.join("vendor/crates/adjutant"), &[]), "9.8.7");
}
