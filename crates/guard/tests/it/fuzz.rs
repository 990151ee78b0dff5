//! A fuzzer. It generates texts from a grammar, mutates them (flips, splices, repeats and cuts), and checks the
//! invariants of the guard on each text. An input with a new kind of result is kept and mutated further. The number of
//! inputs and the seed are fixed, so that a failure can be repeated; a failing test prints the input.
//! `ADJUTANT_FUZZ_SECONDS=600` continues for that time from another fixed seed. `ADJUTANT_FUZZ_START=7` sets that seed.

use std::collections::HashSet;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::time::{Duration, Instant};

use guard::{StreamRedactor, check, filter_injection, neutralise, redact};

use crate::grammar::{self, Chance};

const INPUTS: u64 = 3_000;
const START: u64 = 0x9e37_79b9_7f4a_7c15;
const MAX_BYTES: usize = 4_000;
const MAX_KEPT: usize = 512;

fn mutate(bytes: &mut Vec<u8>, chance: &mut Chance) {
    let at = chance.below(bytes.len() + 1);
    let end = (at + chance.below(24)).min(bytes.len());
    match chance.below(6) {
        0 if at < bytes.len() => bytes[at] ^= 1 << chance.below(8),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece: Vec<u8> = bytes[at..end].iter().copied().cycle().take(60).collect();
            bytes.splice(at..at, piece);
        }
        3 => drop(bytes.splice(at..at, grammar::text(chance).into_bytes())),
        4 => bytes.insert(at, b" \n\"'=:<>\\/\0\xe2\xff"[chance.below(13)]),
        _ => bytes.truncate(end.max(1)),
    }
    bytes.truncate(MAX_BYTES);
}

/// Checks the invariants for one text and returns a hash of the kind of result.
fn check_invariants(text: &str) -> u64 {
    let redacted = redact(text);
    assert_eq!(redact(&redacted.text).text, redacted.text, "redacting twice, {text:?}");
    let filtered = filter_injection(text);
    assert_eq!(filter_injection(&filtered.text).text, filtered.text, "filtering twice, {text:?}");
    let lines = |text: &str| text.matches('\n').count();
    assert_eq!(lines(&filtered.text), lines(text), "lines, {text:?}");
    let neutral = neutralise(text);
    let closes =
        |after: &str| after.starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/'));
    assert!(!neutral.split("</untrusted-evidence").skip(1).any(closes), "the fence, {text:?}");
    assert_eq!(neutralise(&neutral), neutral, "neutralising twice, {text:?}");
    let mut stream = StreamRedactor::new();
    let mut out = Vec::new();
    for chunk in text.as_bytes().chunks(17) {
        out.extend(stream.push(chunk));
    }
    out.extend(stream.finish().0);
    assert!(String::from_utf8(out).is_ok(), "a stream cut a character, {text:?}");
    let report = check(text);
    let is_clean = redacted.redactions.is_empty() && filtered.removed.is_empty();
    assert_eq!(report.is_empty(), is_clean, "report, {text:?}");
    let mut result = DefaultHasher::new();
    for redaction in &redacted.redactions {
        (&redaction.kind, redaction.count.min(4)).hash(&mut result);
    }
    for removed in &filtered.removed {
        (removed.reason, removed.line.min(4)).hash(&mut result);
    }
    (neutral == text, redacted.text.len().ilog2(), filtered.text.len().checked_ilog2())
        .hash(&mut result);
    result.finish()
}

#[test]
fn a53_invariants_hold_for_generated_and_mutated_texts() {
    let n_results = fuzz(Chance(START), |n_inputs| n_inputs < INPUTS);
    // A grammar that no longer reaches the rules would pass every check.
    assert!(n_results > 200, "only {n_results} different results");
    if let Some(seconds) = env_number("ADJUTANT_FUZZ_SECONDS") {
        let deadline = Instant::now() + Duration::from_secs(seconds);
        // The generator cannot start from zero.
        let start = env_number("ADJUTANT_FUZZ_START").unwrap_or(!START).max(1);
        fuzz(Chance(start), |_| Instant::now() < deadline);
    }
}

#[expect(clippy::disallowed_methods, reason = "the environment sets the duration and the seed")]
fn env_number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

/// Returns the number of different results.
fn fuzz(mut chance: Chance, should_continue: impl Fn(u64) -> bool) -> usize {
    let mut kept: Vec<Vec<u8>> = vec![b"token".to_vec()];
    let mut results = HashSet::new();
    let mut n_inputs = 0;
    while should_continue(n_inputs) {
        let mut bytes = match chance.below(3) {
            0 => grammar::text(&mut chance).into_bytes(),
            _ => kept[chance.below(kept.len())].clone(),
        };
        for _ in 0..chance.below(4) {
            mutate(&mut bytes, &mut chance);
        }
        let text = String::from_utf8_lossy(&bytes);
        if text.is_empty() {
            continue;
        }
        if results.insert(check_invariants(&text)) {
            let at = if kept.len() < MAX_KEPT { kept.len() } else { chance.below(MAX_KEPT) };
            kept.resize(kept.len().max(at + 1), Vec::new());
            kept[at] = bytes;
        }
        n_inputs += 1;
    }
    results.len()
}

/// Checks linear time: eight times the text must take less than 32 times as long; a quadratic function takes 64 times
/// as long. The larger text exceeds the processor caches and is allocated in separate pages, which can double the time
/// per byte on a busy machine. The test compares processor times, takes the best of several measurements, and repeats
/// them.
#[cfg(unix)]
#[test]
fn a52_a53_time_grows_linearly_with_the_text() {
    // An optimised build is fast enough for more and longer texts.
    const PIECES: usize = if cfg!(debug_assertions) { 16 } else { 120 };
    const SMALL: usize = if cfg!(debug_assertions) { 4 * 1024 } else { 32 * 1024 };
    const FACTOR: usize = 8;
    let mut chance = Chance(START);
    for _ in 0..PIECES {
        let piece = grammar::text(&mut chance);
        let small = piece.repeat(SMALL.div_ceil(piece.len().max(1)));
        let large = small.repeat(FACTOR);
        let is_linear = || best_time(&large) < best_time(&small) * (FACTOR as u32 * 4);
        assert!(
            (0..5).any(|_| is_linear()),
            "{:?} and {:?} for {piece:?}",
            best_time(&small),
            best_time(&large)
        );
    }
}

#[cfg(unix)]
fn best_time(text: &str) -> Duration {
    let time = || {
        let start = processor_time();
        std::hint::black_box(neutralise(&filter_injection(&redact(text).text).text));
        processor_time() - start
    };
    (0..3).map(|_| time()).min().unwrap_or_default()
}

/// Returns the processor time of this thread, which does not include other work on the machine.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let nanoseconds = u32::try_from(time.tv_nsec).unwrap_or_default();
    Duration::new(seconds, nanoseconds)
}
