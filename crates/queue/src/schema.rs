//! The tables of the store and their migrations.

use crate::database::{Access, Database, DatabaseError, values};

/// The migrations, one for each version of the tables. A released entry never changes: every change to the tables is a
/// new entry.
const MIGRATIONS: [&str; 4] = [
    "
CREATE TABLE tasks (
    seq {serial},
    id TEXT NOT NULL UNIQUE,
    idempotency_key TEXT UNIQUE,
    title TEXT NOT NULL,
    repository TEXT NOT NULL,
    request TEXT NOT NULL,
    priority BIGINT NOT NULL,
    max_parallel BIGINT,
    max_retries BIGINT NOT NULL,
    retry_delay_ms BIGINT NOT NULL,
    on_lost TEXT NOT NULL,
    max_tokens BIGINT,
    max_turns BIGINT,
    max_cost_micros BIGINT,
    state TEXT NOT NULL,
    class TEXT,
    reason TEXT,
    waiting_until BIGINT,
    not_before BIGINT NOT NULL DEFAULT 0,
    failures BIGINT NOT NULL DEFAULT 0,
    losses BIGINT NOT NULL DEFAULT 0,
    generation BIGINT NOT NULL DEFAULT 0,
    owner TEXT,
    lease_until BIGINT,
    cancel_requested BIGINT NOT NULL DEFAULT 0,
    session TEXT,
    thread TEXT,
    resume_session TEXT,
    worktree TEXT,
    branch TEXT,
    base TEXT,
    patch TEXT,
    summary TEXT,
    tokens_in BIGINT NOT NULL DEFAULT 0,
    tokens_out BIGINT NOT NULL DEFAULT 0,
    turns BIGINT NOT NULL DEFAULT 0,
    cost_micros BIGINT NOT NULL DEFAULT 0,
    created_at BIGINT NOT NULL,
    started_at BIGINT,
    ended_at BIGINT
);
CREATE INDEX tasks_by_state ON tasks (state, priority, seq);
CREATE INDEX tasks_by_repository ON tasks (repository, state);
CREATE TABLE dependencies (
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    predecessor TEXT NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (task, predecessor)
);
CREATE INDEX dependencies_by_predecessor ON dependencies (predecessor);
CREATE TABLE attempts (
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    generation BIGINT NOT NULL,
    owner TEXT NOT NULL,
    session TEXT,
    started_at BIGINT NOT NULL,
    ended_at BIGINT,
    result TEXT,
    reason TEXT,
    tokens_in BIGINT NOT NULL DEFAULT 0,
    tokens_out BIGINT NOT NULL DEFAULT 0,
    turns BIGINT NOT NULL DEFAULT 0,
    cost_micros BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (task, generation)
);
CREATE INDEX attempts_by_end ON attempts (ended_at);
CREATE TABLE notices (
    seq {serial},
    task TEXT NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    content TEXT NOT NULL,
    created_at BIGINT NOT NULL,
    next_try_at BIGINT NOT NULL,
    tries BIGINT NOT NULL DEFAULT 0,
    delivered_to TEXT NOT NULL DEFAULT '[]',
    done_at BIGINT,
    error TEXT
);
CREATE INDEX notices_open ON notices (done_at, next_try_at);
CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value BIGINT NOT NULL
);
",
    "
ALTER TABLE tasks ADD COLUMN head TEXT;
",
    "
ALTER TABLE tasks ADD COLUMN changes TEXT;
",
    // The tables are the same. A program that reads only version 3 does not know the new form of `tasks.request`.
    "",
];

const VERSION: &str = "SELECT COALESCE(max(version), 0) FROM adjutant_queue_schema";
/// The name of the lock that is held during a migration.
const LOCK: &str = "adjutant queue: migration";

/// Creates the tables, or updates the tables of an older version.
pub(crate) fn migrate(database: &mut dyn Database) -> Result<(), DatabaseError> {
    if matches!(version(database), Ok(version) if version == MIGRATIONS.len() as i64) {
        return Ok(());
    }
    database.begin(Access::Write)?;
    let migrated = migrate_within(database);
    match migrated {
        Ok(()) => database.commit(),
        Err(error) => {
            database.rollback();
            Err(error)
        }
    }
}

fn version(database: &mut dyn Database) -> Result<i64, DatabaseError> {
    database.begin(Access::Read)?;
    let found = database.number(VERSION, &[]);
    database.rollback();
    found
}

fn migrate_within(database: &mut dyn Database) -> Result<(), DatabaseError> {
    database.lock(LOCK)?;
    database.batch(
        "CREATE TABLE IF NOT EXISTS adjutant_queue_schema (version BIGINT PRIMARY KEY, applied_at BIGINT NOT NULL)",
    )?;
    let current = database.number(VERSION, &[])?;
    if current > MIGRATIONS.len() as i64 {
        let known = MIGRATIONS.len();
        return Err(DatabaseError::unexpected(format!(
            "the store has version {current}, but this program supports only version {known}: install a newer adjutant"
        )));
    }
    for (version, migration) in (1_i64..).zip(MIGRATIONS) {
        if version > current {
            database.batch(migration)?;
            database.execute(
                "INSERT INTO adjutant_queue_schema (version, applied_at) VALUES ($1, {now})",
                values![version],
            )?;
        }
    }
    Ok(())
}
