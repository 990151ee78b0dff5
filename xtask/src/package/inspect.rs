//! Checks which C library a built program needs, and that the program contains no path of the build machine.

use memchr::memmem::find;
use object::Endianness;
use object::elf::{FileHeader64, PT_DYNAMIC, PT_INTERP, ProgramType};
use object::read::elf::{FileHeader, ProgramHeader, SectionHeader};

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
        let needed = if program.is_static {
            needs_nothing(&bytes).map(|()| "no C library".to_owned())
        } else {
            needed_glibc(&bytes, oldest).map(|version| format!("glibc {version}"))
        };
        let needed = needed.map_err(|error| format!("`{}` {error}", program.name))?;
        print_message(&format!("{} needs {needed}", program.name));
    }
    Ok(())
}

/// Checks that the operating system can load a program without a loader, a library or relocations.
fn needs_nothing(bytes: &[u8]) -> Result<(), String> {
    let kinds = segment_kinds(bytes);
    let kinds = kinds.map_err(|error| format!("is not a 64-bit ELF file: {error}"))?;
    if kinds.iter().any(|kind| [PT_INTERP, PT_DYNAMIC].contains(kind)) {
        return Err("is not static".to_owned());
    }
    Ok(())
}

fn segment_kinds(bytes: &[u8]) -> object::Result<Vec<ProgramType>> {
    let header = FileHeader64::<Endianness>::parse(bytes)?;
    let endian = header.endian()?;
    let segments = header.program_headers(endian, bytes)?;
    Ok(segments.iter().map(|segment| segment.p_type(endian)).collect())
}

/// Returns the newest glibc version among the symbols that the program imports. Fails if it is newer than `oldest`.
fn needed_glibc(bytes: &[u8], oldest: Glibc) -> Result<Glibc, String> {
    let names = imported_versions(bytes);
    let names = names.map_err(|error| format!("is not a 64-bit ELF file: {error}"))?;
    match newest(&names)? {
        None => Err("imports nothing from glibc".to_owned()),
        Some(needed) if needed > oldest => Err(format!("needs glibc {needed}, not {oldest}")),
        Some(needed) => Ok(needed),
    }
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

/// Returns the newest glibc version in `names`. Fails if a name has no version number. An example is
/// `GLIBC_ABI_DT_RELR`, which packed relocations need and which only exists since glibc 2.36.
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

    /// The test program imports symbols from this machine's C library.
    #[test]
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn the_needed_version_of_a_program_is_found() {
        let program = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        let names = imported_versions(&program).unwrap();
        assert!(names.iter().any(|name| name.starts_with("GLIBC_2.")), "{names:?}");
        assert!(needed_glibc(&program, Glibc(2, 1)).unwrap_err().contains("not 2.1"));
        assert!(needed_glibc(b"#!/bin/sh\n", Glibc(2, 17)).unwrap_err().contains("ELF"));
        assert!(needs_nothing(&program).unwrap_err().contains("not static"));
        assert!(needs_nothing(b"#!/bin/sh\n").unwrap_err().contains("ELF"));
    }
}
