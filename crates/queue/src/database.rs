//! The interface between the store and its two databases.
//!
//! Statements are written once, in the SQL that SQLite and PostgreSQL share. Parameters are `$1`, `$2` and so on. Each
//! database replaces these placeholders:
//!
//! - `{now}`: the time in milliseconds since 1970, according to the database's clock
//! - `{serial}`: the type of an automatically incremented column
//! - `{lock}`: locks the selected rows of the table `t`
//! - `{skip_locked}`: the same, but skips rows that another transaction has locked

/// A value of a column or a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Text(String),
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Integer(number)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Builds the parameters of a statement.
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$(crate::database::Value::from($value)),*] };
}
pub(crate) use values;

/// A result row. Its columns are read from left to right.
pub(crate) struct Row(pub(crate) std::vec::IntoIter<Value>);

impl Row {
    fn next(&mut self) -> Result<Value, DatabaseError> {
        self.0.next().ok_or_else(|| DatabaseError::unexpected("a row has too few columns"))
    }

    pub(crate) fn optional_integer(&mut self) -> Result<Option<i64>, DatabaseError> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Integer(number) => Ok(Some(number)),
            Value::Text(text) => {
                Err(DatabaseError::unexpected(format!("`{text}` is not a number")))
            }
        }
    }

    pub(crate) fn integer(&mut self) -> Result<i64, DatabaseError> {
        self.optional_integer()?
            .ok_or_else(|| DatabaseError::unexpected("a number is missing in a row"))
    }

    pub(crate) fn optional_text(&mut self) -> Result<Option<String>, DatabaseError> {
        match self.next()? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            Value::Integer(number) => {
                Err(DatabaseError::unexpected(format!("`{number}` is not text")))
            }
        }
    }

    pub(crate) fn text(&mut self) -> Result<String, DatabaseError> {
        self.optional_text()?
            .ok_or_else(|| DatabaseError::unexpected("a string is missing in a row"))
    }
}

/// The kind of a database error, which determines how the error is handled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ErrorKind {
    /// The connection is lost. The transaction may have been committed.
    Disconnected,
    /// The statement conflicts with another transaction. This transaction was rolled back.
    Conflict,
    /// The disk is full or cannot be written to. The transaction was rolled back. It may succeed later.
    DiskFull,
    Other,
}

/// A statement that the database rejected, or another failure of the database.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct DatabaseError {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

impl DatabaseError {
    pub(crate) fn unexpected(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Other, message: message.into() }
    }
}

/// Whether a transaction only reads or also writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A connection to a database. Between `begin` and `commit` or `rollback` all statements belong to one transaction.
pub(crate) trait Database: Send {
    fn begin(&mut self, access: Access) -> Result<(), DatabaseError>;
    fn commit(&mut self) -> Result<(), DatabaseError>;
    fn rollback(&mut self);
    /// Runs a statement and returns the number of changed rows.
    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, DatabaseError>;
    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DatabaseError>;
    /// Returns the number in the first column of the first row, or 0 if there is no row.
    fn number(&mut self, sql: &str, values: &[Value]) -> Result<i64, DatabaseError> {
        self.query(sql, values)?.first_mut().map_or(Ok(0), Row::integer)
    }
    /// Runs several statements without parameters.
    fn batch(&mut self, sql: &str) -> Result<(), DatabaseError>;
    /// Waits for the lock with this name and keeps it until the end of the transaction.
    fn lock(&mut self, name: &str) -> Result<(), DatabaseError>;
}
