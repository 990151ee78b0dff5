//! Runs the store's statements on a SQLite file that only the user can read.

use std::fs::{OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::time::Duration;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, ErrorCode, ToSql, params_from_iter};

use crate::database::{Access, Database, DatabaseError, ErrorKind, Row, Value};

const PRIVATE_FILE: u32 = 0o600;
/// The maximum time that a statement waits for a lock that another process holds.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

pub(crate) struct Sqlite {
    connection: Connection,
}

impl Sqlite {
    pub(crate) fn open(path: &Path) -> Result<Self, DatabaseError> {
        create_private_file(path).map_err(|error| DatabaseError::unexpected(error.to_string()))?;
        let connection = Connection::open(path)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        // In WAL mode, `FULL` preserves committed transactions in case of a power failure.
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        connection.set_prepared_statement_cache_capacity(64);
        Ok(Self { connection })
    }
}

/// Creates the database file with mode 0600. SQLite gives the same permissions to the files that it creates next to it.
fn create_private_file(path: &Path) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        disk::create_private_folder(folder)?;
    }
    match OpenOptions::new().write(true).create_new(true).mode(PRIVATE_FILE).open(path) {
        Ok(file) => file.set_permissions(Permissions::from_mode(PRIVATE_FILE)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

impl Database for Sqlite {
    fn begin(&mut self, access: Access) -> Result<(), DatabaseError> {
        // A transaction that reads before it writes would fail if another process wrote in between. It therefore starts as a
        // write transaction.
        let statement = match access {
            Access::Read => "BEGIN",
            Access::Write => "BEGIN IMMEDIATE",
        };
        Ok(self.connection.execute_batch(statement)?)
    }

    fn commit(&mut self) -> Result<(), DatabaseError> {
        Ok(self.connection.execute_batch("COMMIT")?)
    }

    fn rollback(&mut self) {
        // This fails if SQLite has already rolled back the transaction.
        drop(self.connection.execute_batch("ROLLBACK"));
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, DatabaseError> {
        let mut statement = self.connection.prepare_cached(&translated(sql))?;
        Ok(statement.execute(params_from_iter(values))? as u64)
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DatabaseError> {
        let mut statement = self.connection.prepare_cached(&translated(sql))?;
        let n_columns = statement.column_count();
        let mut found = statement.query(params_from_iter(values))?;
        let mut rows = Vec::new();
        while let Some(row) = found.next()? {
            let values = (0..n_columns).map(|column| Ok(value(row.get_ref(column)?)));
            let values = values.collect::<Result<Vec<Value>, rusqlite::Error>>()?;
            rows.push(Row(values.into_iter()));
        }
        Ok(rows)
    }

    fn batch(&mut self, sql: &str) -> Result<(), DatabaseError> {
        Ok(self.connection.execute_batch(&translated(sql))?)
    }

    /// Does nothing, because a write transaction excludes all others.
    fn lock(&mut self, _name: &str) -> Result<(), DatabaseError> {
        Ok(())
    }
}

fn translated(sql: &str) -> String {
    sql.replace('$', "?")
        .replace("{now}", "CAST(unixepoch('subsec') * 1000 AS INTEGER)")
        .replace("{serial}", "INTEGER PRIMARY KEY AUTOINCREMENT")
        .replace("{lock}", "")
        .replace("{skip_locked}", "")
}

fn value(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Integer(number),
        ValueRef::Real(number) => Value::Text(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Value::Text(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        let kind = match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => ErrorKind::Conflict,
            Some(ErrorCode::DiskFull | ErrorCode::SystemIoFailure) => ErrorKind::DiskFull,
            _ => ErrorKind::Other,
        };
        Self { kind, message: error.to_string() }
    }
}
