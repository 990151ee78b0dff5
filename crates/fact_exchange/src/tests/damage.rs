//! Damaged, swapped and foreign objects are refused, and the error names them.

use super::*;
use crate::ObjectRefusal;

/// Checks that a pull refuses the object at `path`.
#[track_caller]
fn expect_refused(team: &Team, path: &Path, what: &str) -> ObjectRefusal {
    match team.pull(&keys(&records(0..200))) {
        Err(ExchangeError::Refused { object, refusal }) => {
            assert_eq!(object, object_name(path), "{what}: {refusal}");
            refusal
        }
        other => panic!("{what}: {other:?}"),
    }
}

fn pushed() -> Team {
    let team = Team::new();
    team.push(&records(0..200));
    team
}

#[test]
fn a_flipped_bit_in_any_object_is_refused_with_its_name() {
    let team = pushed();
    for kind in ["catalogue", "lists", "packs"] {
        let path = team.objects(kind).remove(0);
        let intact = fs::read(&path).unwrap();
        // The first bytes contain all header fields. The rest is sampled.
        let step = intact.len() / 60;
        let places = (0..120.min(intact.len())).chain((120..intact.len()).step_by(step.max(1)));
        for place in places.chain([intact.len() - 1]) {
            let mut damaged = intact.clone();
            damaged[place] ^= 1 << (place % 8);
            fs::write(&path, damaged).unwrap();
            expect_refused(&team, &path, &format!("{kind}, byte {place}"));
        }
        fs::write(&path, intact).unwrap();
    }
    assert_eq!(team.pull(&keys(&records(0..200))).unwrap().0, records(0..200));
}

#[test]
fn a_truncated_or_extended_object_is_refused() {
    let team = pushed();
    for kind in ["catalogue", "lists", "packs"] {
        let path = team.objects(kind).remove(0);
        let intact = fs::read(&path).unwrap();
        for length in [0, 1, 8, 9, 104, 105, intact.len() / 2, intact.len() - 1] {
            fs::write(&path, &intact[..length]).unwrap();
            expect_refused(&team, &path, &format!("{kind}, {length} bytes"));
        }
        fs::write(&path, [intact.as_slice(), b" "].concat()).unwrap();
        expect_refused(&team, &path, kind);
        fs::write(&path, intact).unwrap();
    }
}

#[test]
fn objects_that_are_exchanged_are_refused() {
    let team = pushed();
    team.push(&records(200..300));
    let (packs, lists) = (team.objects("packs"), team.objects("lists"));
    let swap = |a: &Path, b: &Path| {
        let (first, second) = (fs::read(a).unwrap(), fs::read(b).unwrap());
        fs::write(a, second).unwrap();
        fs::write(b, first).unwrap();
    };
    swap(&lists[0], &lists[1]);
    assert_eq!(expect_refused(&team, &lists[0], "two lists"), ObjectRefusal::WrongHash);
    swap(&lists[0], &lists[1]);
    let intact = fs::read(&packs[0]).unwrap();
    fs::write(&packs[0], fs::read(&packs[1]).unwrap()).unwrap();
    let error = team.pull(&keys(&records(0..300))).unwrap_err().to_string();
    assert!(error.contains(&object_name(&packs[0])), "{error}");
    fs::write(&packs[0], intact).unwrap();
    // A list is not a catalogue.
    let catalogue = team.objects("catalogue").remove(0);
    fs::copy(&lists[0], &catalogue).unwrap();
    assert_eq!(expect_refused(&team, &catalogue, "a list"), ObjectRefusal::NotSigned);
}

#[test]
fn an_older_catalogue_has_fewer_facts_but_no_wrong_ones() {
    let team = pushed();
    let catalogue = team.objects("catalogue").remove(0);
    let older = fs::read(&catalogue).unwrap();
    team.push(&records(200..300));
    fs::write(&catalogue, older).unwrap();
    assert_eq!(team.pull(&keys(&records(0..300))).unwrap().0, records(0..200));
}

#[test]
fn objects_of_another_format_are_refused() {
    let team = pushed();
    let base = team.folder.path().join("adjutant");
    fs::rename(base.join(FORMAT), base.join("3.4")).unwrap();
    let error = pull(&team.exchange_of("3.4", &team.key), &keys(&records(0..9))).unwrap_err();
    let ExchangeError::Refused { object, refusal } = error else { panic!("{error}") };
    assert_eq!((object.as_str(), refusal), ("catalogue", ObjectRefusal::BadSignature));
}

#[test]
fn objects_that_another_key_signed_are_refused() {
    let team = pushed();
    let stranger = SigningKey::generate().unwrap();
    let error = pull(&team.exchange_of(FORMAT, &stranger), &keys(&records(0..9))).unwrap_err();
    let ExchangeError::Refused { object, refusal } = error else { panic!("{error}") };
    assert_eq!(object, "catalogue");
    assert_eq!(refusal, ObjectRefusal::UntrustedKey { key: team.key.public().short() });
    // An outsider who can write to the store cannot push to it either, and cannot make others accept a key: the key in an
    // object is only compared with the trusted keys.
    let exchange = team.exchange_of(FORMAT, &stranger);
    assert!(push(&exchange, &stranger, &records(300..310), now()).is_err());
    let path = team.objects("catalogue").remove(0);
    let mut bytes = fs::read(&path).unwrap();
    bytes[9..41].copy_from_slice(&stranger.public().0);
    fs::write(&path, bytes).unwrap();
    assert!(matches!(
        expect_refused(&team, &path, "other key"),
        ObjectRefusal::UntrustedKey { .. }
    ));
}

#[test]
fn an_old_refused_list_is_deleted() {
    let team = pushed();
    let list = team.objects("lists").remove(0);
    let stranger = list.with_file_name("0".repeat(64));
    fs::write(&stranger, "not signed").unwrap();
    let collect =
        |at: SystemTime| team.exchange().collect(Duration::from_secs(60), at, &team.key, false);
    let error = collect(machine_time()).unwrap_err().to_string();
    assert!(error.contains(&"0".repeat(64)), "{error}");
    collect(machine_time() + Duration::from_secs(3600)).unwrap();
    assert!(!stranger.exists());
}

// macOS has no `mknodat`.
#[cfg(target_os = "linux")]
#[test]
fn a50_a_pipe_or_a_device_in_a_folder_store_is_refused_at_once() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let make_pipe =
        |path: &Path| mknodat(CWD, path, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    let make_link = |path: &Path| std::os::unix::fs::symlink("/dev/zero", path).unwrap();
    let team = pushed();
    for kind in ["catalogue", "lists", "packs"] {
        let path = team.objects(kind).remove(0);
        let intact = fs::read(&path).unwrap();
        for replace in [&make_pipe as &dyn Fn(&Path), &make_link] {
            fs::remove_file(&path).unwrap();
            replace(&path);
            let error = team.pull(&keys(&records(0..200))).unwrap_err().to_string();
            assert!(error.contains(&object_name(&path)), "{error}");
            assert!(error.ends_with("it is not a regular file"), "{error}");
        }
        fs::remove_file(&path).unwrap();
        fs::write(&path, intact).unwrap();
    }
    assert_eq!(team.pull(&keys(&records(0..200))).unwrap().0, records(0..200));
}
