//! Checks what a built program needs from a system, and that it contains no path of the machine that built it.

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

/// Returns the newest version of the C library among the symbols that the program imports.
fn needed_glibc(bytes: &[u8]) -> Result<Glibc, String> {
    let read = || -> object::Result<Vec<Glibc>> {
        let header = FileHeader64::<Endianness>::parse(bytes)?;
        let endian = header.endian()?;
        let sections = header.sections(endian, bytes)?;
        let mut versions = Vec::new();
        for section in sections.iter() {
            let Some((mut needs, link)) = section.gnu_verneed(endian, bytes)? else { continue };
            let strings = sections.strings(endian, bytes, link)?;
            while let Some((_, mut symbols)) = needs.next()? {
                while let Some(symbol) = symbols.next()? {
                    versions.extend(parse_version(symbol.name(endian, strings)?));
                }
            }
        }
        Ok(versions)
    };
    let versions = read().map_err(|error| format!("is not a 64-bit ELF file: {error}"))?;
    versions.into_iter().max().ok_or_else(|| "imports nothing from glibc".to_owned())
}

/// Parses a version such as `GLIBC_2.17` or `GLIBC_2.2.5`. Other libraries have other names.
fn parse_version(name: &[u8]) -> Option<Glibc> {
    let mut numbers = std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_")?.split('.');
    Some(Glibc(numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_number() {
        let newest =
            |names: &[&str]| names.iter().filter_map(|it| parse_version(it.as_bytes())).max();
        assert_eq!(
            newest(&["GLIBC_2.9", "GLIBC_2.17", "GLIBC_2.2.5", "GCC_3.0"]),
            Some(Glibc(2, 17))
        );
        assert_eq!(newest(&["GLIBC_PRIVATE"]), None);
    }

    /// This test program imports symbols from the C library of this machine.
    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn the_needed_version_of_a_program_is_found() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        assert!(needed_glibc(&program).unwrap() >= Glibc(2, 17));
        assert!(needed_glibc(b"#!/bin/sh\n").unwrap_err().contains("ELF"));
    }
}
