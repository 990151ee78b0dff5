use super::*;
use crate::redaction::RedactionRules;

fn redaction() -> Redaction {
    Redaction::new(&RedactionRules::default()).unwrap()
}

#[test]
fn c6_the_log_files_have_a_maximum_size() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    let mut log = JobLog::open(&path, 64 * 1024, &redaction());
    log.heading(&["===== Codex Run Start: now =====".to_owned()]);
    for n in 0..20_000 {
        log.line(&format!("line {n} of a very talkative run"));
    }
    log.line("Exit Code: 0");
    log.finish(&redaction());
    assert!(log.n_rotations > 2, "{}", log.n_rotations);
    let sizes: Vec<u64> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().metadata().unwrap().len())
        .collect();
    assert_eq!(sizes.len(), 3);
    assert!(sizes.iter().sum::<u64>() < 4 * 64 * 1024, "{sizes:?}");
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.starts_with("===== Codex Run Start: now ====="));
    assert!(text.ends_with("Exit Code: 0\n"));
}

#[test]
fn c7_a_secret_that_arrives_in_two_parts_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.log");
    let secret = format!("ghp_{}", "Ab3dE6gH9jK2mN5pQ8sT1vW4xY7zB0cD3fG6");
    let mut log = JobLog::open(&path, 1 << 20, &redaction());
    log.text(&format!("before {}", &secret[..12]));
    log.flush();
    log.text(&format!("{} after\n", &secret[12..]));
    log.finish(&redaction());
    let text = fs::read_to_string(&path).unwrap();
    assert!(!text.contains(&secret[..12]) && text.contains("after"), "{text}");
}

#[test]
fn a_log_that_cannot_be_written_does_not_end_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut log = JobLog::open(&folder.path().join("no/such/job.log"), 1 << 20, &redaction());
    log.line("unheard");
    log.finish(&redaction());
    assert!(log.failure.is_some() && log.n_lost_bytes > 0);
}
