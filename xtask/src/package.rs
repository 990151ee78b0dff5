//! `cargo xtask package`: builds the programs of a release and writes all files that a user can install: the archive,
//! the npm packages, the install script, the Homebrew formula and the checksums.
//!
//! The files depend only on the commit and on the pinned tools, so two runs write the same bytes.
//! docs/design/packaging.md describes the files.

mod archive;
mod build;
mod check;
mod contents;
mod inspect;
mod installers;
mod npm;
mod target;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use sha2::{Digest, Sha256};

use crate::output::{print_message, print_result};
use crate::root;
use target::{TARGETS, Target};

// The workspace manifest defines one version, repository address, description and licence for all packages.
const VERSION: &str = env!("CARGO_PKG_VERSION");
const REPOSITORY: &str = env!("CARGO_PKG_REPOSITORY");
const DESCRIPTION: &str = env!("CARGO_PKG_DESCRIPTION");
const LICENSE: &str = env!("CARGO_PKG_LICENSE");
/// The name of the file that contains the checksums, in the format of `sha256sum`.
const CHECKSUMS: &str = "SHA256SUMS";

/// An installed program. All programs are installed in the same folder.
struct Program {
    name: &'static str,
    /// The package of this workspace that builds the program.
    package: &'static str,
    /// Whether users start the program themselves. The other programs are started by clients or by `adjutant`.
    is_command: bool,
    /// Whether the program is statically linked with the C library on Linux (docs/decisions/0010-static-hook.md).
    is_static: bool,
}

const PROGRAMS: [Program; 4] = [
    Program { name: "adjutant", package: "adjutant", is_command: true, is_static: false },
    Program { name: "adjutant-hook", package: "adjutant", is_command: false, is_static: true },
    Program { name: "adjutant-parser", package: "adjutant", is_command: false, is_static: false },
    Program { name: "codex-auto", package: "adjutant", is_command: true, is_static: false },
];

const USAGE: &str = "\
usage: cargo xtask package [--out DIR] [--target TRIPLE] [--collect] [--check]
  --out DIR        write to DIR (default: target/package)
  --target TRIPLE  build for another target (default: x86_64-unknown-linux-gnu)
  --collect        build nothing; write the launcher, the installers and the checksums for the archives in DIR
  --check          also package a second time, compare the bytes, and install the packages in a clean home";

struct Options {
    out: PathBuf,
    target: &'static Target,
    should_collect: bool,
    should_check: bool,
}

pub(crate) fn run(arguments: &[&str]) -> ExitCode {
    let Some(options) = Options::parse(arguments) else {
        print_message(USAGE);
        return ExitCode::from(2);
    };
    let result =
        if options.should_collect { write_collected(&options.out) } else { package(&options) };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            print_message(&format!("error: {error}"));
            ExitCode::FAILURE
        }
    }
}

impl Options {
    fn parse(arguments: &[&str]) -> Option<Self> {
        let mut options = Self {
            out: root().join("target/package"),
            target: &TARGETS[0],
            should_collect: false,
            should_check: false,
        };
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            match *argument {
                "--out" => options.out = rest.next()?.into(),
                "--target" => {
                    let triple = rest.next()?;
                    options.target = TARGETS.iter().find(|target| target.triple == *triple)?;
                }
                "--collect" => options.should_collect = true,
                "--check" => options.should_check = true,
                _ => return None,
            }
        }
        Some(options)
    }
}

fn package(options: &Options) -> Result<(), String> {
    let epoch = commit_time()?;
    let programs = build::programs(options.target, epoch)?;
    inspect::check(&programs, options.target)?;
    remove_earlier(&options.out)?;
    write_all(&programs, options.target, epoch, &options.out)?;
    for (name, bytes) in products(&options.out)? {
        print_result(&format!("{:>11} {}", bytes.len(), options.out.join(name).display()));
    }
    if options.should_check {
        check::is_reproducible(&programs, options.target, epoch, &options.out)?;
        check::can_be_installed(&options.out)?;
    }
    Ok(())
}

/// Writes the archive and the npm package of one target, and the files that all targets share.
fn write_all(
    programs: &build::Programs,
    target: &Target,
    epoch: u64,
    out: &Path,
) -> Result<(), String> {
    fs::create_dir_all(out).map_err(|error| cannot("create", out, error))?;
    let contents = contents::archive(programs)?;
    let folder = target.archive_folder();
    write(&out.join(target.archive_name()), &contents.beneath(&folder).tar_xz(epoch, target)?)?;
    let package = npm::platform_package(target, programs)?;
    write(&out.join(npm::tarball_name(&target.npm_name())), &package.tar_gz(epoch)?)?;
    write_collected(out)
}

/// Writes the launcher package, and the files that contain the checksums of all archives in the folder.
fn write_collected(out: &Path) -> Result<(), String> {
    let epoch = commit_time()?;
    let launcher = npm::launcher_package()?;
    write(&out.join(npm::tarball_name(npm::LAUNCHER)), &launcher.tar_gz(epoch)?)?;
    let mut archives = Vec::new();
    for target in &TARGETS {
        if let Ok(bytes) = fs::read(out.join(target.archive_name())) {
            archives.push((target, checksum(&bytes)));
        }
    }
    if archives.is_empty() {
        return Err(format!("there is no archive of version {VERSION} in `{}`", out.display()));
    }
    write(&out.join(installers::SCRIPT), installers::script(&archives).as_bytes())?;
    archive::make_executable(&out.join(installers::SCRIPT))?;
    write(&out.join(installers::FORMULA), installers::formula(&archives).as_bytes())?;
    let sums: String = products(out)?
        .iter()
        .filter(|(name, _)| name.as_str() != CHECKSUMS)
        .map(|(name, bytes)| format!("{}  {name}\n", checksum(bytes)))
        .collect();
    write(&out.join(CHECKSUMS), sums.as_bytes())
}

fn is_product(name: &str) -> bool {
    name.starts_with("adjutant-")
        || [CHECKSUMS, installers::SCRIPT, installers::FORMULA].contains(&name)
}

/// Returns the content of each file in `out` that this command has written, by file name.
fn products(out: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let entries = fs::read_dir(out).map_err(|error| cannot("read", out, error))?;
    let mut products = BTreeMap::new();
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if is_product(&name) {
            let bytes = fs::read(&path).map_err(|error| cannot("read", &path, error))?;
            products.insert(name, bytes);
        }
    }
    Ok(products)
}

/// Removes the files of an earlier run, which may have another version.
fn remove_earlier(out: &Path) -> Result<(), String> {
    if !out.exists() {
        return Ok(());
    }
    for name in products(out)?.into_keys() {
        let path = out.join(name);
        fs::remove_file(&path).map_err(|error| cannot("remove", &path, error))?;
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    fs::write(path, bytes).map_err(|error| cannot("write", path, error))
}

fn cannot(verb: &str, path: &Path, error: impl std::fmt::Display) -> String {
    format!("cannot {verb} `{}`: {error}", path.display())
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}

/// Returns the time of the commit in seconds. Every file in a package has this modification time.
fn commit_time() -> Result<u64, String> {
    let output = output_of("git", &["log", "-1", "--format=%ct"])?;
    output.trim().parse().map_err(|_| format!("git printed `{output}` instead of a time"))
}

/// Runs a program in the checkout and returns its standard output.
#[expect(
    clippy::disallowed_methods,
    reason = "a chore runs git and rustc; it is not part of the product"
)]
fn output_of(program: &str, arguments: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(arguments).current_dir(root()).output();
    let output = output.map_err(|error| format!("cannot start {program}: {error}"))?;
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        return Err(format!("`{program} {}` failed: {message}", arguments.join(" ")));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
