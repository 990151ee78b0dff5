//! Lists the symbols for each name, once in symbol order and once grouped by owner. The owner of a symbol is the type
//! or module that contains it.

use super::key_table::grouped;
use crate::interner::Interner;

/// All symbols, grouped by name. The lists for all names are stored in one array.
#[derive(Default)]
pub(super) struct SymbolsByName {
    /// For each name, the start of its list in `symbols`. A final element marks the end.
    starts: Vec<u32>,
    symbols: Vec<u32>,
    /// For each name, the start of its list in `owned`. A final element marks the end.
    owned_starts: Vec<u32>,
    /// For each name, its symbols that have an owner. They are sorted by the owner's normalized name (its index in
    /// `normalized`), then by symbol.
    owned: Vec<u32>,
    /// The owners' names in lower case and without underscores, so that `HttpClient`, `http_client` and `httpClient`
    /// are equal.
    normalized: Interner,
    /// For each name, the index of its normalized form in `normalized`, or `u32::MAX` if it is not the name of an
    /// owner.
    normalized_numbers: Vec<u32>,
}

impl SymbolsByName {
    pub(super) fn new(
        names: &Interner,
        name_of: &[u32],
        is_named: impl Fn(u32) -> bool,
        owner: impl Fn(u32) -> Option<u32>,
    ) -> Self {
        let named = || (0..name_of.len() as u32).filter(|symbol| is_named(*symbol));
        let name = |symbol: u32| name_of[symbol as usize] as usize;
        let (starts, symbols) = grouped(names.len(), named().map(|symbol| (name(symbol), symbol)));
        let owned_symbols = named().filter(|symbol| owner(*symbol).is_some());
        let (owned_starts, mut owned) =
            grouped(names.len(), owned_symbols.map(|symbol| (name(symbol), symbol)));
        let mut normalized = Interner::default();
        let mut normalized_numbers = vec![u32::MAX; names.len()];
        for owner in owned.iter().filter_map(|symbol| owner(*symbol)) {
            let number = &mut normalized_numbers[owner as usize];
            if *number == u32::MAX {
                *number = normalized.number(&normal(names.get(owner)));
            }
        }
        let key_of = |symbol: u32| {
            owner(symbol).map_or(u32::MAX, |owner| normalized_numbers[owner as usize])
        };
        for number in 0..names.len() {
            let list = &mut owned[owned_starts[number] as usize..owned_starts[number + 1] as usize];
            list.sort_by_cached_key(|symbol| key_of(*symbol));
        }
        Self { starts, symbols, owned_starts, owned, normalized, normalized_numbers }
    }

    /// Returns the symbols with the given name, in ascending order.
    pub(super) fn get(&self, name: u32) -> &[u32] {
        list_of(&self.starts, &self.symbols, name)
    }

    /// Returns the symbols with the given name whose owners are called `owner`. Case and underscores in the owner's
    /// name are ignored. `owner_of` maps a symbol to the index of its owner's name.
    pub(super) fn of_owner(&self, name: u32, owner: &str, owner_of: impl Fn(u32) -> u32) -> &[u32] {
        let Some(key) = self.normalized.find(&normal(owner.as_bytes())) else { return &[] };
        let owned = list_of(&self.owned_starts, &self.owned, name);
        let key_of = |symbol: u32| self.normalized_numbers[owner_of(symbol) as usize];
        let owned = &owned[owned.partition_point(|symbol| key_of(*symbol) < key)..];
        &owned[..owned.partition_point(|symbol| key_of(*symbol) == key)]
    }
}

/// Returns the list of a name, or an empty list if there is no such name.
fn list_of<'l>(starts: &[u32], items: &'l [u32], name: u32) -> &'l [u32] {
    match starts.get(name as usize..).unwrap_or_default() {
        [start, end, ..] => &items[*start as usize..*end as usize],
        _ => &[],
    }
}

fn normal(owner: &[u8]) -> Vec<u8> {
    owner.iter().filter(|byte| **byte != b'_').map(u8::to_ascii_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::{Interner, SymbolsByName};

    #[test]
    fn symbols_are_found_by_name_and_owner() {
        let mut names = Interner::default();
        let [run, only, client, other] =
            ["run", "only", "Http_Client", "Other"].map(|name| names.number(name.as_bytes()));
        let name_of = [run, only, run, run, run];
        let owners = [Some(other), Some(client), Some(client), None, Some(client)];
        let owner = |symbol: u32| owners[symbol as usize];
        let table = SymbolsByName::new(&names, &name_of, |symbol| symbol != 4, owner);
        assert_eq!(
            (table.get(run), table.get(only), table.get(other)),
            (&[0, 2, 3][..], &[1][..], &[][..])
        );
        let owner_of = |symbol: u32| owner(symbol).unwrap();
        assert_eq!(table.of_owner(run, "httpClient", owner_of), [2]);
        assert_eq!(table.of_owner(only, "http_client", owner_of), [1]);
        assert_eq!(table.of_owner(run, "OTHER", owner_of), [0]);
        assert_eq!(table.of_owner(run, "absent", owner_of), Vec::<u32>::new());
    }
}
