//! Fuzzes the reader of a repository's configuration file, `config/auto-tools.yaml`.

use policy::{CONFIG_PATH, ConfigFile};

/// Reads the bytes as a configuration file. An error must name the file.
pub fn yaml(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match ConfigFile::parse(text) {
        Ok(file) => {
            let again = ConfigFile::parse(text).expect("the same text is read the same way");
            assert_eq!(file, again);
        }
        Err(error) => {
            assert!(error.place.starts_with(CONFIG_PATH), "{error}");
            assert!(!error.reason.contains('\n'), "{error}");
        }
    }
}
