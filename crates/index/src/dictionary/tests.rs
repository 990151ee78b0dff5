//! Compares the dictionary with a sorted map.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Dictionary, DictionaryWriter};
use crate::container::{Container, container_of};
use crate::spill::{Section, Spill};

fn built(map: &BTreeMap<String, Vec<u8>>) -> Vec<u8> {
    let mut writer = DictionaryWriter::default();
    for (key, list) in map {
        writer.push(key.as_bytes(), list.len(), list);
    }
    let spill = Spill::in_memory();
    let mut sections: [Section<'_>; 3] = std::array::from_fn(|_| Section::new(&spill));
    writer.write_to(&mut sections).unwrap();
    container_of(sections.map(|section| {
        let mut bytes = Vec::new();
        section
            .read(|piece| {
                bytes.extend_from_slice(piece);
                Ok(())
            })
            .unwrap();
        bytes
    }))
    .unwrap()
}

proptest! {
    #[test]
    fn it_answers_like_a_map(map in prop::collection::btree_map("[a-c]{0,6}", any::<Vec<u8>>(), 0..200), asked in "[a-c]{0,6}") {
        let container = Container::from_bytes(built(&map)).unwrap();
        let dictionary = Dictionary::new(&container, 0);
        for key in map.keys().chain([&asked]) {
            let list = dictionary.get(key.as_bytes()).map(|list| list.bytes.part(0..list.n_items as usize).to_vec());
            prop_assert_eq!(list.as_ref(), map.get(key));
        }
        prop_assert!(!container.damaged());
    }
}
