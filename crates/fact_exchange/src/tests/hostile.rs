//! Hostile objects that are signed with the right key.

use super::*;
use crate::ObjectRefusal;
use crate::bounds::{MAX_CATALOGUE_BYTES, MAX_LISTS, MAX_UNPACKED_BYTES};
use crate::catalogue::{Kind, ObjectName, sign};

/// Creates a store whose catalogue has this body.
fn with_catalogue(body: &str) -> Team {
    let team = Team::new();
    let folder = team.folder.path().join("adjutant").join(FORMAT);
    fs::create_dir_all(folder.join("lists")).unwrap();
    fs::create_dir_all(folder.join("packs")).unwrap();
    let bytes = sign(&team.key, Kind::Catalogue, FORMAT, body.as_bytes());
    fs::write(folder.join("catalogue"), bytes).unwrap();
    team
}

/// Creates a store with one list that has this body.
fn with_list(body: impl Fn(&str) -> String, pack: &[u8]) -> Team {
    let team = with_catalogue("");
    let folder = team.folder.path().join("adjutant").join(FORMAT);
    let pack_name = ObjectName::of(pack);
    fs::write(folder.join("packs").join(pack_name.as_str()), pack).unwrap();
    let list = sign(&team.key, Kind::List, FORMAT, body(pack_name.as_str()).as_bytes());
    let name = ObjectName::of(&list);
    fs::write(folder.join("lists").join(name.as_str()), list).unwrap();
    let catalogue = format!("{{\"lists\":[\"{}\"]}}", name.as_str());
    let catalogue = sign(&team.key, Kind::Catalogue, FORMAT, catalogue.as_bytes());
    fs::write(folder.join("catalogue"), catalogue).unwrap();
    team
}

#[track_caller]
fn refusal(team: &Team) -> (String, ObjectRefusal) {
    match team.pull(&keys(&records(0..10))) {
        Err(ExchangeError::Refused { object, refusal }) => (object, refusal),
        other => panic!("{other:?}"),
    }
}

fn entry(name: &str, bytes: u64, unpacked: u64, keys: &str) -> String {
    format!(
        r#"{{"packs":[{{"name":"{name}","bytes":{bytes},"unpacked":{unpacked},"used":1,"keys":"{keys}"}}]}}"#
    )
}

/// Returns a pack with this content before compression.
fn packed(content: &[u8]) -> Vec<u8> {
    [b"adjpack1".as_slice(), &lz4_flex::block::compress(content)].concat()
}

fn key_text(record: &FactRecord) -> String {
    crate::keys::hex(&record.0)
}

#[test]
fn names_that_look_like_paths_are_refused() {
    let names = [
        "../../../etc/passwd",
        "/etc/passwd",
        "..",
        "",
        "a",
        &"0".repeat(63),
        &"A".repeat(64),
        &format!("{}/..", "0".repeat(61)),
        &format!("{}\\u0000", "0".repeat(63)),
    ];
    for name in names {
        let team = with_catalogue(&format!("{{\"lists\":[\"{name}\"]}}"));
        let (object, refusal) = refusal(&team);
        assert_eq!(object, "catalogue", "{name}");
        assert!(matches!(refusal, ObjectRefusal::Malformed(_)), "{name}: {refusal}");
        let team = with_list(|_| entry(name, 10, 10, ""), b"");
        assert!(refusal_of_list(&team), "{name}");
    }
}

fn refusal_of_list(team: &Team) -> bool {
    let (object, refusal) = refusal(team);
    object.starts_with("lists/") && matches!(refusal, ObjectRefusal::Malformed(_))
}

#[test]
fn deep_nesting_unknown_fields_and_other_json_are_refused() {
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    for body in ["", "null", "[]", "{}", "{\"lists\":1}", "{\"lists\":[],\"path\":\"/\"}", &deep] {
        let (object, refusal) = refusal(&with_catalogue(body));
        assert_eq!(object, "catalogue");
        assert!(matches!(refusal, ObjectRefusal::Malformed(_)), "{refusal}");
    }
    for body in ["", "{\"packs\":[{}]}", "{\"packs\":{}}", &deep] {
        assert!(refusal_of_list(&with_list(|_| body.to_owned(), b"")));
    }
}

#[test]
fn counts_and_sizes_are_bounded() {
    let names = vec![format!("\"{}\"", "0".repeat(64)); MAX_LISTS + 1];
    let (object, refused) =
        refusal(&with_catalogue(&format!("{{\"lists\":[{}]}}", names.join(","))));
    assert_eq!(object, "catalogue");
    assert_eq!(refused, ObjectRefusal::TooMany { what: "lists", max: MAX_LISTS });
    let large = " ".repeat(MAX_CATALOGUE_BYTES as usize);
    let (_, refused) = refusal(&with_catalogue(&large));
    assert_eq!(refused, ObjectRefusal::TooLarge { max: MAX_CATALOGUE_BYTES });
    let key = key_text(&record(1));
    for (bytes, unpacked) in
        [(u64::MAX, 10), (1 << 40, 10), (10, u64::from(u32::MAX)), (10, 1 << 40)]
    {
        assert!(refusal_of_list(&with_list(|name| entry(name, bytes, unpacked, &key), b"pack")));
    }
    for keys in ["zz", "0", &key[1..], &key.to_uppercase().replace('7', "F")] {
        assert!(refusal_of_list(&with_list(|name| entry(name, 4, 10, keys), b"pack")), "{keys}");
    }
}

#[test]
fn a_compressed_pack_that_grows_is_refused() {
    let key = key_text(&record(1));
    // 60 MB of zeros are compressed to 240 KB.
    let bomb = packed(&vec![0; 60 << 20]);
    let size = bomb.len() as u64;
    for unpacked in [0, 10, 1 << 20, u64::from(MAX_UNPACKED_BYTES)] {
        let team = with_list(|name| entry(name, size, unpacked, &key), &bomb);
        let (object, refusal) = refusal(&team);
        assert!(object.starts_with("packs/"), "{object}");
        assert!(matches!(refusal, ObjectRefusal::Malformed(_)), "{refusal}");
    }
    // If a pack is larger than its list says, only the stated size is read.
    let team = with_list(|name| entry(name, 100, 10, &key), &bomb);
    assert_eq!(refusal(&team).1, ObjectRefusal::TooLarge { max: 100 });
}

#[test]
fn records_that_the_list_does_not_name_are_refused() {
    let (wanted, other) = (record(1), record(2));
    let written = |records: &[&FactRecord]| {
        let mut content = Vec::new();
        for (key, record) in records {
            content.extend_from_slice(key);
            content.extend_from_slice(&(record.len() as u32).to_le_bytes());
            content.extend_from_slice(record);
        }
        content
    };
    let pull = |content: &[u8]| {
        let pack = packed(content);
        let size = pack.len() as u64;
        let keys = key_text(&wanted);
        refusal(&with_list(|name| entry(name, size, content.len() as u64, &keys), &pack)).1
    };
    assert_eq!(pull(&written(&[&other])), ObjectRefusal::OtherRecords);
    assert_eq!(pull(&written(&[&wanted, &other])), ObjectRefusal::OtherRecords);
    assert_eq!(pull(&written(&[&wanted, &wanted])), ObjectRefusal::OtherRecords);
    assert_eq!(pull(b""), ObjectRefusal::OtherRecords);
    let cut = written(&[&wanted]);
    for length in [1, 16, 17, 20, 21, cut.len() - 1] {
        assert!(matches!(pull(&cut[..length]), ObjectRefusal::Malformed(_)), "{length}");
    }
    let mut long = cut;
    long[17..21].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(pull(&long), ObjectRefusal::Malformed(_)));
}

#[test]
fn a_catalogue_that_names_missing_lists_is_reported() {
    let team = with_catalogue(&format!("{{\"lists\":[\"{}\"]}}", "0".repeat(64)));
    assert!(matches!(team.pull(&keys(&records(0..1))), Err(ExchangeError::Unsettled)));
}

#[test]
fn a_folder_in_place_of_the_catalogue_counts_as_an_empty_store() {
    let team = with_catalogue("");
    let path = team.objects("catalogue").remove(0);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert_eq!(team.pull(&keys(&records(0..1))).unwrap().1, Pulled::default());
}
