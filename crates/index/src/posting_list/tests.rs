//! Compares the lists that are read with those that were written.

use std::ops::Range;

use super::{FileListWriter, List, ListBytes, ListWriter, MAX_SHORT, file_item, number_item};
use crate::container::{Container, container_of};
use crate::facts::counts;
use crate::text::FIELDS;

fn container_with(list: &[u8]) -> Container {
    Container::from_bytes(container_of([list]).unwrap()).unwrap()
}

fn bytes_of(container: &Container) -> ListBytes<'_> {
    ListBytes { container, section: 0, at: 0, length: container.len(0) }
}

/// Returns owners with gaps of different sizes, each with a number.
fn items(n_items: usize) -> Vec<(u32, u32)> {
    let mut owner = 3;
    (0..n_items as u32)
        .map(|number| {
            owner += 1 + number % 7 * (number % 300);
            (owner, number % 5)
        })
        .collect()
}

#[test]
fn ranges_select_the_same_items_in_short_and_long_lists() {
    for n_items in [0, 1, 127, 128, 129, MAX_SHORT, MAX_SHORT + 1, 3 * MAX_SHORT + 77] {
        let items = items(n_items);
        let mut writer = ListWriter::default();
        items.iter().for_each(|(owner, number)| writer.push(*owner, *number));
        let mut out = Vec::new();
        assert_eq!(writer.finish(&mut out), n_items);
        let container = container_with(&out);
        let list = List::of_numbers(n_items as u32, bytes_of(&container));
        assert_eq!(list.is_long(), n_items > MAX_SHORT);
        assert!(list.iter(u32::MAX, number_item).eq(items.iter().copied()));
        let last = items.last().map_or(10, |(owner, _)| *owner);
        let some: Vec<Range<u32>> = vec![0..4, last / 3..last / 3 + 900, last / 2..last / 2 + 1];
        let near_the_end = vec![last.saturating_sub(1)..last + 1, last + 5..last + 9];
        let everything: Vec<Range<u32>> = std::iter::once(0..u32::MAX).collect();
        for ranges in [Vec::new(), everything, some, near_the_end] {
            let mut found = Vec::new();
            list.for_each_in(&ranges, number_item, |owner, number| found.push((owner, number)));
            let is_inside = |owner: u32| ranges.iter().any(|range| range.contains(&owner));
            let expected: Vec<(u32, u32)> =
                items.iter().copied().filter(|(owner, _)| is_inside(*owner)).collect();
            assert_eq!(found, expected, "{n_items} items, {ranges:?}");
        }
        assert!(!container.damaged());
    }
}

#[test]
fn a_long_list_of_files_starts_with_its_best_items() {
    let n_files = 2 * MAX_SHORT as u32;
    let counts_of = |file: u32| {
        let mut counts = [0; FIELDS];
        counts[file as usize % FIELDS] = 1 + file % 3;
        counts
    };
    let mut writer = FileListWriter::default();
    for file in 0..n_files {
        // Every other file has a high impact.
        writer.push(file * 2, (file % 2) as f32, |out| counts::put(out, &counts_of(file)));
    }
    let mut out = Vec::new();
    assert_eq!(writer.finish(&mut out), n_files as usize);
    let container = container_with(&out);
    let (list, best) = List::of_files(n_files, bytes_of(&container));
    let all = (0..n_files).map(|file| (file * 2, counts_of(file)));
    assert!(list.iter(u32::MAX, file_item).eq(all));
    let odd = (0..n_files).filter(|file| file % 2 == 1).map(|file| (file * 2, counts_of(file)));
    assert!(best.iter(u32::MAX, file_item).eq(odd));
    assert!(!container.damaged());
}
