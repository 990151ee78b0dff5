//! Tests round trips and the decoding of damaged bytes.

use proptest::prelude::*;

use super::{Cursor, put_text, put_varint, u32_at, unzigzag, zigzag};

proptest! {
    #[test]
    fn numbers_and_text_come_back(numbers in prop::collection::vec(any::<u64>(), 0..20), text in any::<Vec<u8>>(), signed in any::<i64>()) {
        let mut bytes = Vec::new();
        for number in &numbers {
            put_varint(&mut bytes, *number);
        }
        put_text(&mut bytes, &text);
        put_varint(&mut bytes, zigzag(signed));
        let mut cursor = Cursor::new(&bytes);
        for number in &numbers {
            prop_assert_eq!(cursor.varint(), *number);
        }
        prop_assert_eq!(cursor.text(), text.as_slice());
        prop_assert_eq!(cursor.signed(), signed);
        prop_assert_eq!(unzigzag(zigzag(signed)), signed);
        prop_assert!(cursor.is_empty() && !cursor.is_exhausted_early());
    }

    #[test]
    fn any_bytes_can_be_read(bytes in any::<Vec<u8>>()) {
        let mut cursor = Cursor::new(&bytes);
        while !cursor.is_exhausted_early() {
            cursor.text();
            cursor.small();
        }
        prop_assert_eq!(cursor.remaining(), 0);
        u32_at(&bytes, bytes.len());
    }
}
