//! Pulls return what was pushed, also with concurrent pushes and after a garbage collection.

use super::*;
use crate::bounds::{MAX_SMALL_PACKS, MERGE_LISTS};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn a_pull_returns_what_was_pushed_and_only_what_is_wanted() {
    let team = Team::new();
    let all = records(0..500);
    assert_eq!(team.push(&all).records, 500);
    let (pulled, report) = team.pull(&keys(&all)).unwrap();
    assert_eq!(pulled, all);
    assert_eq!((report.records, report.packs), (500, 1));
    let (pulled, _) = team.pull(&keys(&records(490..510))).unwrap();
    assert_eq!(pulled, records(490..500));
    assert_eq!(team.pull(&keys(&records(600..610))).unwrap().1, Pulled::default());
}

#[test]
fn a_store_without_facts_of_this_format_is_empty() {
    let team = Team::new();
    team.push(&records(0..3));
    let other = team.exchange_of("3.4", &team.key);
    assert!(other.inventory().unwrap().is_empty());
    assert_eq!(pull(&other, &keys(&records(0..3))).unwrap().1.records, 0);
}

#[test]
fn a_push_writes_only_what_the_store_lacks() {
    let team = Team::new();
    team.push(&records(0..100));
    let objects = (team.objects("packs"), team.objects("lists"));
    assert_eq!(team.push(&records(0..100)), Pushed::default());
    assert_eq!((team.objects("packs"), team.objects("lists")), objects);
    assert_eq!(team.push(&records(50..150)).records, 50);
    assert_eq!(team.pull(&keys(&records(0..150))).unwrap().0, records(0..150));
}

#[test]
fn a_large_push_has_several_packs() {
    let team = Team::new();
    let mut all = records(0..12);
    for (number, (_, record)) in all.iter_mut().enumerate() {
        // Pseudorandom bytes, which do not compress.
        let mut reader = blake3::Hasher::new().update(&[number as u8]).finalize_xof();
        record.resize(2 << 20, 0);
        reader.fill(record);
    }
    let pushed = team.push(&all);
    assert_eq!((pushed.records, pushed.packs, pushed.too_large), (12, 3, 0));
    assert_eq!(team.pull(&keys(&all)).unwrap().0, all);
}

#[test]
fn pushes_at_the_same_time_lose_nothing() {
    let team = Team::new();
    std::thread::scope(|scope| {
        for pusher in 0..6 {
            let team = &team;
            scope.spawn(move || {
                for round in 0..4 {
                    let first = pusher * 100 + round * 10;
                    team.push(&records(first..first + 10));
                }
            });
        }
    });
    let wanted: Vec<FactRecord> =
        (0..6).flat_map(|pusher| records(pusher * 100..pusher * 100 + 40)).collect();
    assert_eq!(team.pull(&keys(&wanted)).unwrap().0, wanted);
}

#[test]
fn the_number_of_lists_and_small_packs_is_bounded() {
    let team = Team::new();
    let n_pushes = MAX_SMALL_PACKS as u32 + 3;
    for number in 0..n_pushes {
        // Each push is of a tree with one more file than before.
        team.push(&records(0..number + 1));
    }
    assert!(team.objects("lists").len() <= MERGE_LISTS, "{:?}", team.objects("lists"));
    let (pulled, report) = team.pull(&keys(&records(0..n_pushes))).unwrap();
    assert_eq!(pulled, records(0..n_pushes));
    assert!(report.packs <= 3, "{report:?}");
}

#[test]
fn facts_that_no_push_needs_are_deleted_by_age() {
    let team = Team::new();
    // The age of an object in a folder is the modification time of its file, so the pushes use the clock of the machine.
    let start = machine_time();
    team.push_at(&records(0..10), start);
    team.push_at(&records(10..20), start);
    // A month later, half of the facts are still needed.
    team.push_at(&records(10..20), start + 30 * DAY);
    let collect =
        |days, dry| team.exchange().collect(20 * DAY, start + days * DAY, &team.key, dry).unwrap();
    assert_eq!(collect(10, false).packs, 0);
    let dry = collect(31, true);
    assert_eq!((dry.packs, dry.kept), (1, 1));
    assert_eq!(team.objects("packs").len(), 2);
    assert_eq!(collect(31, false), dry);
    assert_eq!(team.objects("packs").len(), 1);
    let (pulled, report) = team.pull(&keys(&records(0..20))).unwrap();
    assert_eq!(pulled, records(10..20));
    assert_eq!(report.missing_packs, 0);
    // Deleted facts can be pushed again.
    assert_eq!(team.push_at(&records(0..20), start + 31 * DAY).records, 10);
}

#[test]
fn a_pack_that_is_gone_is_counted_and_pushed_again() {
    let team = Team::new();
    team.push(&records(0..10));
    fs::remove_file(&team.objects("packs")[0]).unwrap();
    let (pulled, report) = team.pull(&keys(&records(0..10))).unwrap();
    assert_eq!((pulled.len(), report.missing_packs), (0, 1));
    assert_eq!(team.push(&records(0..10)).records, 10);
    assert_eq!(team.pull(&keys(&records(0..10))).unwrap().0, records(0..10));
}

#[test]
fn an_interrupted_push_leaves_the_store_as_it_was() {
    let team = Team::new();
    team.push(&records(0..10));
    let before = fs::read(&team.objects("catalogue")[0]).unwrap();
    let exchange = team.exchange();
    let inventory = exchange.inventory().unwrap();
    let mut broken = records(10..20).into_iter().inspect(|(key, _)| {
        // The store becomes unusable after the first records are read.
        if key[3] == 15 {
            let lists = team.folder.path().join("adjutant").join(FORMAT).join("packs");
            fs::rename(&lists, team.folder.path().join("gone")).unwrap();
            fs::write(&lists, "not a folder").unwrap();
        }
    });
    let live = keys(&records(10..20));
    let pushed = exchange.push(&inventory, &live, &mut broken, 10, &team.key, now(), &|_| {});
    let error = pushed.unwrap_err().to_string();
    assert!(error.contains("cannot write `packs/"), "{error}");
    assert_eq!(fs::read(&team.objects("catalogue")[0]).unwrap(), before);
}

#[test]
fn a_store_that_can_only_be_read_is_pulled_and_not_pushed() {
    use std::os::unix::fs::PermissionsExt;
    let team = Team::new();
    team.push(&records(0..10));
    let base = team.folder.path().join("adjutant").join(FORMAT);
    let folders = [base.clone(), base.join("packs"), base.join("lists")];
    let set = |mode| {
        for folder in &folders {
            fs::set_permissions(folder, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    set(0o555);
    let pulled = team.pull(&keys(&records(0..10)));
    let is_root = fs::write(base.join("probe"), "").is_ok();
    let pushed = push(&team.exchange(), &team.key, &records(0..20), now());
    set(0o755);
    assert_eq!(pulled.unwrap().0, records(0..10));
    // Root can write to any folder.
    assert_eq!(pushed.is_err(), !is_root);
    let url = StoreUrl::parse("https://localhost:1/").unwrap();
    let trusted = TrustedKeys::new(vec![team.key.public()]);
    let web = Exchange::open(&url, &|_| None, FORMAT, trusted, false).unwrap();
    let mut none = std::iter::empty();
    let error =
        web.push(&Inventory::default(), &[], &mut none, 0, &team.key, now(), &|_| {}).unwrap_err();
    assert!(matches!(error, ExchangeError::ReadOnly));
}
