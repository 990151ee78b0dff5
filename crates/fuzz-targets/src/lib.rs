//! The fuzz targets, as functions. Each function passes arbitrary bytes to one reader of untrusted input and checks the
//! properties that must hold for every input.
//!
//! `fuzz/` wraps each function for libFuzzer (nightly compiler), and `tests/replay.rs` passes every file of
//! `fuzz/corpus/` through the same function on the stable compiler. A violated property causes a panic.

mod events;
mod guard_texts;
mod hook_files;
mod index_store;
mod json_rpc;
mod patches;
mod payloads;
mod snapshots;
mod sources;
mod transcripts;
mod yaml;

pub use events::codex_events;
pub use guard_texts::guard_texts;
pub use hook_files::hook_files;
pub use index_store::index_store;
pub use json_rpc::json_rpc;
pub use patches::patches;
pub use payloads::payloads;
pub use snapshots::snapshots;
pub use sources::sources;
pub use transcripts::transcripts;
pub use yaml::yaml;

/// One fuzz target: the name of its corpus folder and its function.
#[derive(Clone, Copy)]
pub struct FuzzTarget {
    pub name: &'static str,
    pub run: fn(&[u8]),
}

/// Every target. Each has a folder in `fuzz/corpus/` and a file in `fuzz/fuzz_targets/`.
pub const TARGETS: [FuzzTarget; 11] = [
    FuzzTarget { name: "codex_events", run: codex_events },
    FuzzTarget { name: "guard_texts", run: guard_texts },
    FuzzTarget { name: "hook_files", run: hook_files },
    FuzzTarget { name: "index_store", run: index_store },
    FuzzTarget { name: "json_rpc", run: json_rpc },
    FuzzTarget { name: "patches", run: patches },
    FuzzTarget { name: "payloads", run: payloads },
    FuzzTarget { name: "snapshots", run: snapshots },
    FuzzTarget { name: "sources", run: sources },
    FuzzTarget { name: "transcripts", run: transcripts },
    FuzzTarget { name: "yaml", run: yaml },
];
