//! Writes archives whose bytes depend only on their contents: sorted entries with fixed owners, modes and times.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use flate2::{Compression, GzBuilder};
use lzma_rust2::{FilterType, XzOptions, XzWriter};
use tar::{Builder, EntryType, Header};

use super::cannot;
use super::target::Target;

/// The xz preset with the best compression.
const XZ_PRESET: u32 = 9;

/// The files of an archive by path. Paths are relative and use `/`.
#[derive(Default)]
pub(super) struct Contents {
    entries: BTreeMap<String, Entry>,
}

enum Entry {
    File {
        bytes: Vec<u8>,
        is_program: bool,
    },
    /// A symbolic link. The target is relative to the folder that contains the link.
    Link {
        target: String,
    },
}

impl Contents {
    pub(super) fn add(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.entries.insert(path.into(), Entry::File { bytes: bytes.into(), is_program: false });
    }

    pub(super) fn add_program(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.entries.insert(path.into(), Entry::File { bytes: bytes.into(), is_program: true });
    }

    pub(super) fn add_link(&mut self, path: impl Into<String>, target: impl Into<String>) {
        self.entries.insert(path.into(), Entry::Link { target: target.into() });
    }

    pub(super) fn extend(&mut self, other: Self) {
        self.entries.extend(other.entries);
    }

    /// Moves all files into a folder.
    pub(super) fn beneath(self, folder: &str) -> Self {
        let moved = |(path, entry): (String, Entry)| (format!("{folder}/{path}"), entry);
        Self { entries: self.entries.into_iter().map(moved).collect() }
    }

    pub(super) fn tar_xz(&self, epoch: u64, target: &Target) -> Result<Vec<u8>, String> {
        let mut options = XzOptions::with_preset(XZ_PRESET);
        if target.cpu == "x64" {
            // This filter converts relative addresses in machine code to absolute ones, which repeat more often.
            options.prepend_pre_filter(FilterType::BcjX86, 0);
        }
        let compressed = XzWriter::new(Vec::new(), options)
            .and_then(|writer| self.write_tar(writer, epoch))
            .and_then(XzWriter::finish);
        compressed.map_err(|error| format!("cannot compress the archive: {error}"))
    }

    pub(super) fn tar_gz(&self, epoch: u64) -> Result<Vec<u8>, String> {
        let writer = GzBuilder::new().write(Vec::new(), Compression::best());
        let compressed = self.write_tar(writer, epoch).and_then(flate2::write::GzEncoder::finish);
        compressed.map_err(|error| format!("cannot compress the package: {error}"))
    }

    fn write_tar<W: Write>(&self, writer: W, epoch: u64) -> io::Result<W> {
        let mut builder = Builder::new(writer);
        for (path, entry) in &self.entries {
            let mut header = Header::new_gnu();
            header.set_uid(0);
            header.set_gid(0);
            header.set_mtime(epoch);
            match entry {
                Entry::File { bytes, is_program } => {
                    header.set_mode(if *is_program { 0o755 } else { 0o644 });
                    header.set_size(bytes.len() as u64);
                    builder.append_data(&mut header, path, bytes.as_slice())?;
                }
                Entry::Link { target } => {
                    header.set_entry_type(EntryType::Symlink);
                    header.set_mode(0o777);
                    header.set_size(0);
                    builder.append_link(&mut header, path, target)?;
                }
            }
        }
        builder.into_inner()
    }
}

pub(super) fn make_executable(path: &Path) -> Result<(), String> {
    let result = fs::set_permissions(path, Permissions::from_mode(0o755));
    result.map_err(|error| cannot("change the mode of", path, error))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;
    use crate::package::target::TARGETS;

    fn contents() -> Contents {
        let mut contents = Contents::default();
        contents.add("b/text", "text");
        contents.add_program("a/program", "#!/bin/sh\n");
        contents.add_link("bin/program", "../a/program");
        contents.beneath("top")
    }

    #[test]
    fn the_same_contents_give_the_same_bytes() {
        let archives =
            || (contents().tar_gz(7).unwrap(), contents().tar_xz(7, &TARGETS[0]).unwrap());
        assert_eq!(archives(), archives());
        assert_ne!(contents().tar_gz(7).unwrap(), contents().tar_gz(8).unwrap());
    }

    #[test]
    fn entries_are_sorted_and_have_fixed_owners_and_modes() {
        let bytes = contents().tar_gz(7).unwrap();
        let mut tar = Vec::new();
        flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut tar).unwrap();
        let mut archive = tar::Archive::new(tar.as_slice());
        let entries = archive.entries().unwrap().map(|entry| {
            let entry = entry.unwrap();
            let header = entry.header();
            let fixed = (header.uid().unwrap(), header.gid().unwrap(), header.mtime().unwrap());
            assert_eq!(fixed, (0, 0, 7));
            (entry.path().unwrap().display().to_string(), header.mode().unwrap())
        });
        let expected =
            [("top/a/program", 0o755), ("top/b/text", 0o644), ("top/bin/program", 0o777)];
        assert_eq!(
            entries.collect::<Vec<_>>(),
            expected.map(|(path, mode)| (path.to_owned(), mode))
        );
    }
}
