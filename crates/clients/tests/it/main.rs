//! Installs the hook into the settings of every client, and checks what `adjutant doctor` reports about them.

#![expect(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod health;
mod home;
mod install;
