//! Checks which C library a built program needs, and that the program contains no path of the machine that built it.

use memchr::memmem::find;
use object::Endianness;
use object::elf::FileHeader64;
use object::read::elf::{FileHeader, SectionHeader};

use super::PROGRAMS;
use super::build::Programs;
use super::target::{Glibc, Target};
use crate::output::print_message;

pub(super) fn check(programs: &Programs, target: &Target) -> Result<(), String> {
    for program in &PROGRAMS {
        let bytes = programs.read(program.name)?;
        if let Some(path) =
            programs.machine_paths.iter().find(|path| find(&bytes, path.as_bytes()).is_some())
        {
            return Err(format!("`{}` contains the path `{path}` of this machine", program.name));
        }
        let Some(oldest) = target.glibc else { continue };
        let needed =
            needed_glibc(&bytes).map_err(|error| format!("`{}`: {error}", program.name))?;
        print_message(&format!("{} needs glibc {needed}", program.name));
        if needed > oldest {
            return Err(format!("`{}` needs glibc {needed}, not {oldest}", program.name));
        }
    }
    Ok(())
}

/// Returns the newest glibc version among the symbols that the program imports.
fn needed_glibc(bytes: &[u8]) -> Result<Glibc, String> {
    let names = imported_versions(bytes);
    let names = names.map_err(|error| format!("is not a 64-bit ELF file: {error}"))?;
    newest(&names)?.ok_or_else(|| "imports nothing from glibc".to_owned())
}

/// Returns the names of all symbol versions that the program imports, such as `GLIBC_2.17` or `GCC_3.0`.
fn imported_versions(bytes: &[u8]) -> object::Result<Vec<String>> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, bytes)?;
    let mut names = Vec::new();
    for section in sections.iter() {
        let Some((mut needs, link)) = section.gnu_verneed(endian, bytes)? else { continue };
        let strings = sections.strings(endian, bytes, link)?;
        while let Some((_, mut symbols)) = needs.next()? {
            while let Some(symbol) = symbols.next()? {
                let name = symbol.name(endian, strings)?;
                names.push(String::from_utf8_lossy(name).into_owned());
            }
        }
    }
    Ok(names)
}

/// Returns the newest version of glibc in `names`. A name without a number is an error, for example `GLIBC_ABI_DT_RELR`:
/// packed relocations need it, and it exists only since glibc 2.36.
fn newest(names: &[String]) -> Result<Option<Glibc>, String> {
    let mut newest = None;
    for name in names {
        let Some(version) = name.strip_prefix("GLIBC_") else { continue };
        let mut numbers = version.split('.').map(str::parse);
        let (Some(Ok(major)), Some(Ok(minor))) = (numbers.next(), numbers.next()) else {
            return Err(format!("needs `{name}`, which old systems do not have"));
        };
        newest = newest.max(Some(Glibc(major, minor)));
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        let newest = |names: &[&str]| {
            newest(&names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>())
        };
        let versions = ["GLIBC_2.9", "GLIBC_2.17", "GLIBC_2.2.5", "GCC_3.0"];
        assert_eq!(newest(&versions), Ok(Some(Glibc(2, 17))));
        assert_eq!(newest(&["GCC_3.0"]), Ok(None));
        newest(&["GLIBC_2.9", "GLIBC_ABI_DT_RELR"]).unwrap_err();
    }

    /// The program of this test imports symbols from the C library of this machine.
    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn the_needed_version_of_a_program_is_found() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let names = imported_versions(&program).unwrap();
        assert!(names.iter().any(|name| name.starts_with("GLIBC_2.")), "{names:?}");
        assert!(needed_glibc(b"#!/bin/sh\n").unwrap_err().contains("ELF"));
    }
}
