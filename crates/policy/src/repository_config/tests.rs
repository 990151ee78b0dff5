use std::fs;
use std::os::unix::fs::symlink;

use super::*;

struct Place {
    folder: tempfile::TempDir,
}

fn place(yaml: &str) -> Place {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("repository/config")).unwrap();
    let place = Place { folder };
    place.write(CONFIG_PATH, yaml);
    place
}

impl Place {
    fn repository(&self) -> PathBuf {
        self.folder.path().join("repository").canonicalize().unwrap()
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.repository().join(name), text).unwrap();
    }

    fn store(&self) -> TrustStore {
        TrustStore::in_folder(Some(&self.folder.path().join("user")))
    }

    fn read(&self) -> Result<RepositoryConfig, ConfigError> {
        RepositoryConfig::read(&self.repository(), &self.store())
    }

    fn trust(&self) -> RepositoryConfig {
        let config = self.read().unwrap();
        self.store().add(&config.path().unwrap(), config.content().unwrap()).unwrap();
        self.read().unwrap()
    }
}

#[test]
fn a54_any_change_revokes_the_trust() {
    let place = place("budget: {wall_ms: 9000}\n");
    assert_eq!(place.read().unwrap().trust, Trust::Never);
    assert_eq!(place.trust().trust, Trust::Trusted);
    place.write(CONFIG_PATH, "budget: {wall_ms: 9000} \n");
    assert_eq!(place.read().unwrap().trust, Trust::Changed);
    place.write(CONFIG_PATH, "budget: {wall_ms: 9000}\n");
    assert_eq!(place.read().unwrap().trust, Trust::Trusted);
}

#[test]
fn a54_trust_covers_the_programs_that_the_file_names() {
    let place = place("tools: {owners: {command: [sh, owners.sh]}}\n");
    place.write("owners.sh", "echo one\n");
    let trusted = place.trust();
    let copies = place.folder.path().join("copies");
    let verify = || trusted.verify(&["sh".to_owned(), "owners.sh".to_owned()], Some(&copies));
    verify().unwrap();
    assert_eq!(trusted.programs(), [place.repository().join("owners.sh")]);
    place.write("owners.sh", "echo two\n");
    assert!(matches!(verify(), Err(VerifyError::Changed)));
    assert_eq!(place.read().unwrap().trust, Trust::Changed);
}

#[test]
fn a54_the_parsed_content_is_the_hashed_content() {
    let place = place("budget: {wall_ms: 9000}\n");
    let trusted = place.trust();
    place.write(CONFIG_PATH, "budget: {wall_ms: 19000}\n");
    assert_eq!(trusted.file.budget.wall_ms, Some(9000));
}

#[track_caller]
fn check_refused(place: &Place, expected: &str) {
    let error = place.read().unwrap_err();
    assert_eq!(error.to_string(), format!("config/auto-tools.yaml: {expected}"));
}

#[test]
fn a50_a_link_out_of_the_repository_is_not_followed() {
    let place = place("");
    let outside = place.folder.path().join("secret");
    fs::write(&outside, "tier_max: hunter2\n").unwrap();
    let file = place.repository().join(CONFIG_PATH);
    fs::remove_file(&file).unwrap();
    symlink(&outside, &file).unwrap();
    check_refused(&place, "is a link out of the repository");
    fs::remove_file(&file).unwrap();
    symlink("../../../nowhere", &file).unwrap();
    check_refused(&place, "is a link out of the repository");
    fs::remove_file(&file).unwrap();
    symlink("auto-tools.yaml", &file).unwrap();
    check_refused(&place, "is a link out of the repository");
}

#[test]
fn a50_a_link_to_a_folder_outside_is_not_followed() {
    let place = place("");
    fs::create_dir(place.folder.path().join("elsewhere")).unwrap();
    fs::write(place.folder.path().join("elsewhere/auto-tools.yaml"), "mode: plan\n").unwrap();
    fs::remove_dir_all(place.repository().join("config")).unwrap();
    symlink("../elsewhere", place.repository().join("config")).unwrap();
    check_refused(&place, "is a link out of the repository");
}

#[test]
fn folders_and_large_files_are_refused() {
    let place = place(&"# a comment\n".repeat(30_000));
    check_refused(&place, "is larger than 262144 bytes");
    fs::write(place.repository().join(CONFIG_PATH), b"mode: \xff\n").unwrap();
    check_refused(&place, "is not UTF-8");
    fs::remove_file(place.repository().join(CONFIG_PATH)).unwrap();
    assert_eq!(place.read().unwrap().file, ConfigFile::default());
    fs::create_dir(place.repository().join(CONFIG_PATH)).unwrap();
    check_refused(&place, "is not a file");
}

#[test]
fn a54_a_damaged_store_trusts_nothing_and_is_reported() {
    let place = place("budget: {wall_ms: 9000}\n");
    place.trust();
    fs::write(place.folder.path().join("user/trust.json"), "{").unwrap();
    let config = place.read().unwrap();
    assert_eq!(config.trust, Trust::Never);
    assert!(config.problem.unwrap().contains("is not a trust file"));
}
