//! Chores: `cargo xtask ci`, `tidy`, `bench`.

fn main() {}
