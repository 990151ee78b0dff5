//! Builds the programs of a release.
//!
//! The programs for Linux are linked with zig, because zig can link against an older C library than that of this
//! machine. A static program contains the C library of this machine. The paths of this machine are replaced in the
//! programs, so that another checkout of the same commit produces the same bytes.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::target::Target;
use super::{PROGRAMS, Program, cannot, output_of};
use crate::root;

/// The built programs, all in one folder.
pub(super) struct Programs {
    pub(super) folder: PathBuf,
    /// Paths on this machine. The programs must not contain them.
    pub(super) machine_paths: Vec<String>,
}

impl Programs {
    pub(super) fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let path = self.folder.join(name);
        fs::read(&path).map_err(|error| cannot("read", &path, error))
    }
}

/// The rustc flags for a program that contains the C library and is loaded without relocations.
const STATIC_FLAGS: &str = include_str!("files/static-flags.txt");

pub(super) fn programs(target: &Target, epoch: u64) -> Result<Programs, String> {
    let checkout = root().canonicalize().map_err(|error| cannot("find", root(), error))?;
    let build = Build { target, epoch, folders: SourceFolders::find(&checkout)?, checkout };
    let is_static = |program: &Program| program.is_static && target.glibc.is_some();
    let mut command = build.cargo("build")?;
    for program in PROGRAMS.iter().filter(|program| !is_static(program)) {
        command.args(["--package", program.package, "--bin", program.name]);
    }
    run(command)?;
    // The packages that the first command compiled are used again. Only the program itself is compiled with these
    // flags.
    for program in PROGRAMS.iter().filter(|program| is_static(program)) {
        let mut command = build.cargo("rustc")?;
        command.args(["--package", program.package, "--bin", program.name, "--"]);
        command.args(STATIC_FLAGS.split_whitespace()).args(["-C", "linker=cc"]);
        run(command)?;
    }
    let Build { folders, checkout, .. } = build;
    Ok(Programs {
        folder: checkout.join("target").join(target.triple).join("release"),
        machine_paths: vec![folders.cargo, folders.checkout, folders.rust],
    })
}

fn run(mut command: Command) -> Result<(), String> {
    let status = command.status().map_err(|error| format!("cannot start cargo: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err("the programs could not be built; the message of cargo is above".to_owned())
    }
}

struct Build<'a> {
    target: &'a Target,
    epoch: u64,
    checkout: PathBuf,
    folders: SourceFolders,
}

impl Build<'_> {
    /// Returns a `cargo build` or `cargo rustc` command with all options and environment variables set. The caller
    /// must add the programs to build.
    fn cargo(&self, subcommand: &str) -> Result<Command, String> {
        let Self { target, epoch, checkout, folders } = self;
        let mut command = cargo(subcommand, target, checkout)?;
        command.args(["--release", "--locked", "--target-dir"]).arg(checkout.join("target"));
        // This setting is added to the target's flags in `.cargo/config.toml`, while RUSTFLAGS would replace them.
        let flags = serde_json::to_string(&folders.rust_flags()).unwrap_or_default();
        command.arg("--config").arg(format!("target.{}.rustflags={flags}", target.triple));
        command
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env(format!("CFLAGS_{}", target.triple.replace('-', "_")), folders.c_flags())
            .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
            .env("CARGO_INCREMENTAL", "0")
            .env("SOURCE_DATE_EPOCH", epoch.to_string())
            .current_dir(checkout);
        Ok(command)
    }
}

/// Returns the build command for the target. It is cargo-zigbuild if an older C library is required.
#[expect(clippy::disallowed_methods, reason = "a chore runs cargo; it is not part of the product")]
fn cargo(subcommand: &str, target: &Target, checkout: &Path) -> Result<Command, String> {
    let Some(glibc) = target.glibc else {
        let mut command = Command::new("cargo");
        command.args([subcommand, "--target", target.triple]);
        return Ok(command);
    };
    let tools = checkout.join(".cache/package");
    let zigbuild = tools.join("bin/cargo-zigbuild");
    if !zigbuild.is_file() {
        let hint = "hint: `tests/package/install` installs it";
        return Err(format!("`{}` is missing\n\n{hint}", zigbuild.display()));
    }
    let caches = checkout.join("target/zig");
    // In cargo-zigbuild, `build` is called `zigbuild`.
    let subcommand = if subcommand == "build" { "zigbuild" } else { subcommand };
    let mut command = Command::new(zigbuild);
    command
        .args([subcommand, "--target", &format!("{}.{glibc}", target.triple)])
        .env("CARGO_ZIGBUILD_ZIG_PATH", tools.join("ziglang/zig"))
        .env("CARGO_ZIGBUILD_CACHE_DIR", caches.join("zigbuild"))
        .env("ZIG_GLOBAL_CACHE_DIR", caches.join("global"))
        .env("ZIG_LOCAL_CACHE_DIR", caches.join("local"));
    Ok(command)
}

/// The folders on this machine that contain source files, as strings.
struct SourceFolders {
    cargo: String,
    checkout: String,
    rust: String,
    /// The commit from which rustc was built.
    rust_commit: String,
}

impl SourceFolders {
    fn find(checkout: &Path) -> Result<Self, String> {
        let version = output_of("rustc", &["--version", "--verbose"])?;
        let commit = version.lines().find_map(|line| line.strip_prefix("commit-hash: "));
        let text = |path: &Path| {
            let text = path.to_str().map(str::to_owned);
            text.ok_or_else(|| format!("`{}` is not UTF-8", path.display()))
        };
        Ok(Self {
            cargo: text(&cargo_home()?)?,
            checkout: text(checkout)?,
            rust: output_of("rustc", &["--print", "sysroot"])?.trim().to_owned(),
            rust_commit: commit.ok_or("rustc does not print its commit")?.to_owned(),
        })
    }

    /// Returns the rustc flags that replace the paths of these folders in the programs. If several flags match, rustc
    /// uses the last one.
    fn rust_flags(&self) -> Vec<String> {
        let Self { cargo, checkout, rust, rust_commit } = self;
        let mut flags = vec![
            format!("--remap-path-prefix={cargo}=/cargo"),
            format!("--remap-path-prefix={checkout}=/adjutant"),
            format!("--remap-path-prefix={rust}=/rust"),
        ];
        // If the sources of the standard library are installed, rustc uses their path. It is replaced with the path
        // that rustc uses if they are not installed.
        let library = format!("{rust}/lib/rustlib/src/rust");
        if Path::new(&library).exists() {
            flags.push(format!("--remap-path-prefix={library}=/rustc/{rust_commit}"));
        }
        flags
    }

    fn c_flags(&self) -> String {
        let Self { cargo, checkout, .. } = self;
        format!("-ffile-prefix-map={checkout}=/adjutant -ffile-prefix-map={cargo}=/cargo")
    }
}

/// Returns the folder in which cargo stores the sources of dependencies.
#[expect(clippy::disallowed_methods, reason = "a chore; it is not part of the product")]
fn cargo_home() -> Result<PathBuf, String> {
    let named = std::env::var_os("CARGO_HOME").filter(|path: &OsString| !path.is_empty());
    let default = || std::env::home_dir().map(|home| home.join(".cargo"));
    named.map(PathBuf::from).or_else(default).ok_or_else(|| "HOME is not set".to_owned())
}
