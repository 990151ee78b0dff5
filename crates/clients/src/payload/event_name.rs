//! Finds the event of an input that cannot be parsed as a payload. Reads the input once and keeps only the names at its top
//! level, because it may be larger than the memory.

use std::fmt;
use std::io::{self, BufReader, Read};

use contract::ToolMoment;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};

use super::Event;
use crate::Client;

const KEY: &str = "hook_event_name";
/// The key as it is written in JSON.
const QUOTED_KEY: &[u8] = b"\"hook_event_name\"";
/// Longer names are not kept. No event has such a name.
const MAX_NAME_BYTES: usize = 64;

/// Returns the event that the input names. If the input is not a JSON object, it is searched for the name, because the
/// output for an unrecognised tool event would be empty, and the client would run the call.
pub(super) fn event(client: &dyn Client, input: impl Read) -> Option<Event> {
    let mut input = Mentions { input, expected: Expected::Key(0), names: Vec::new() };
    let names = match serde_json::from_reader(BufReader::new(&mut input)) {
        Ok(Names(names)) => names,
        Err(_) => {
            let _rest = io::copy(&mut input, &mut io::sink());
            input.names
        }
    };
    // An input with several names is ambiguous. Only the output for an event before a tool call can block the call.
    let rank = |event: &Event| match event {
        Event::Tool(ToolMoment::Before) => 0,
        Event::Tool(ToolMoment::After | ToolMoment::Failed) => 1,
        Event::Prompt | Event::Other => 2,
    };
    names.iter().map(|name| client.event(name)).min_by_key(rank)
}

/// All values of [`KEY`] in a JSON object, without those in nested objects.
struct Names(Vec<String>);

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Names;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Names, A::Error> {
                let mut names = Vec::new();
                while let Some(key) = map.next_key::<String>()? {
                    if key == KEY {
                        names.extend(map.next_value::<Option<String>>()?);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(Names(names))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

/// A reader that collects each name after a [`QUOTED_KEY`] in the bytes that it reads.
struct Mentions<R> {
    input: R,
    expected: Expected,
    names: Vec<String>,
}

/// What the next bytes must be to continue a mention of a name.
enum Expected {
    /// The rest of [`QUOTED_KEY`], of which this many bytes have been read.
    Key(usize),
    Colon,
    Quote,
    /// The rest of the name, and the quote that ends it.
    Name(Vec<u8>),
}

impl<R> Mentions<R> {
    fn take(&mut self, byte: u8) {
        self.expected = match (std::mem::replace(&mut self.expected, Expected::Key(0)), byte) {
            (Expected::Name(name), b'"') => {
                self.names.push(String::from_utf8_lossy(&name).into_owned());
                Expected::Key(0)
            }
            (Expected::Name(mut name), byte) => {
                if name.len() < MAX_NAME_BYTES {
                    name.push(byte);
                }
                Expected::Name(name)
            }
            (Expected::Key(n), byte) if byte == QUOTED_KEY[n] => match n + 1 {
                n if n == QUOTED_KEY.len() => Expected::Colon,
                n => Expected::Key(n),
            },
            (waiting @ (Expected::Colon | Expected::Quote), b' ' | b'\t' | b'\n' | b'\r') => {
                waiting
            }
            (Expected::Colon, b':') => Expected::Quote,
            (Expected::Quote, b'"') => Expected::Name(Vec::new()),
            // The quote may start the key.
            (_, byte) => Expected::Key(usize::from(byte == b'"')),
        };
    }
}

impl<R: Read> Read for Mentions<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.input.read(buffer)?;
        buffer[..n].iter().for_each(|byte| self.take(*byte));
        Ok(n)
    }
}
