//! Opens a store and runs transactions on it. Reconnects if the connection is lost.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::database::{Access, Database, DatabaseError, ErrorKind};
use crate::location::StoreLocation;
use crate::postgres::Postgres;
use crate::schema;
use crate::sqlite::Sqlite;
use crate::task::{TaskId, TaskState};

const FIRST_DELAY: Duration = Duration::from_millis(50);
const MAX_DELAY: Duration = Duration::from_secs(5);

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot use the store {location}: {reason}")]
    Unavailable { location: String, reason: String },
    #[error("unknown task `{0}`")]
    UnknownTask(TaskId),
    #[error("task `{0}` cannot come after itself")]
    Cycle(TaskId),
    #[error("the key `{key}` belongs to task `{id}`, which describes another run")]
    KeyTaken { key: String, id: TaskId },
    #[error("the key `{0}` belongs to a task of another repository")]
    KeyTakenElsewhere(String),
    #[error(
        "{0} tasks of this repository have not ended or were added in the last hour, so no further task is added"
    )]
    TooMany(i64),
    #[error("task `{id}` is {}", state.word())]
    WrongState { id: TaskId, state: TaskState },
    #[error("task `{0}` has no conversation to continue")]
    NoThread(TaskId),
    #[error("`{0}` is not UTF-8")]
    NotText(PathBuf),
    #[error("the store refused a statement: {0}")]
    Database(#[from] DatabaseError),
}

/// A connection to a task store.
pub struct TaskStore {
    location: StoreLocation,
    /// The maximum time that a call waits for a store that cannot be reached.
    timeout: Duration,
    database: Option<Box<dyn Database>>,
}

impl TaskStore {
    /// Connects to the store and creates or updates its tables. Every call waits at most `timeout` for a store that cannot be
    /// reached.
    pub fn open(location: StoreLocation, timeout: Duration) -> Result<Self, StoreError> {
        let mut store = Self { location, timeout, database: None };
        store.transact(Access::Read, |_| Ok(()))?;
        Ok(store)
    }

    /// Sets the maximum time that a call waits for a store that cannot be reached.
    pub fn set_timeout(&mut self, timeout: Duration) {
        self.timeout = timeout;
    }

    #[must_use]
    pub fn location(&self) -> &StoreLocation {
        &self.location
    }

    /// Runs `body` in a transaction. Repeats the transaction if the connection is lost or another transaction conflicts with
    /// it, but not if the disk is full. `body` must be safe to repeat after a commit, because a commit may succeed although the
    /// connection is lost.
    pub(crate) fn transact<T>(
        &mut self,
        access: Access,
        mut body: impl FnMut(&mut dyn Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let started = Instant::now();
        let mut delay = FIRST_DELAY;
        loop {
            let error = match self.attempt(access, &mut body) {
                Err(StoreError::Database(error)) if error.kind != ErrorKind::Other => error,
                ended => return ended,
            };
            if error.kind == ErrorKind::Disconnected {
                self.database = None;
            }
            if error.kind == ErrorKind::DiskFull || started.elapsed() >= self.timeout {
                return Err(StoreError::Unavailable {
                    location: self.location.to_string(),
                    reason: error.message,
                });
            }
            std::thread::sleep(delay);
            delay = (delay * 2).min(MAX_DELAY);
        }
    }

    fn attempt<T>(
        &mut self,
        access: Access,
        body: &mut impl FnMut(&mut dyn Database) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let database = match &mut self.database {
            Some(database) => database,
            none => {
                let mut database =
                    connect(&self.location).map_err(|error| self.location.failure(error))?;
                schema::migrate(&mut *database).map_err(|error| self.location.failure(error))?;
                none.insert(database)
            }
        };
        database.begin(access)?;
        match body(&mut **database) {
            Ok(value) => {
                database.commit()?;
                Ok(value)
            }
            Err(error) => {
                database.rollback();
                Err(error)
            }
        }
    }
}

/// Returns the path as text, which is the form in which the store contains it.
pub(crate) fn path_text(path: &Path) -> Result<&str, StoreError> {
    path.to_str().ok_or_else(|| StoreError::NotText(path.to_owned()))
}

fn connect(location: &StoreLocation) -> Result<Box<dyn Database>, DatabaseError> {
    Ok(match location {
        StoreLocation::File(path) => Box::new(Sqlite::open(path)?),
        StoreLocation::Postgres(url) => Box::new(Postgres::connect(url)?),
    })
}

impl StoreLocation {
    /// Converts an error that occurred while connecting or creating the tables. An error that a retry cannot fix
    /// becomes [`StoreError::Unavailable`], which names the location.
    fn failure(&self, error: DatabaseError) -> StoreError {
        if error.kind == ErrorKind::Other {
            let (location, reason) = (self.to_string(), error.message);
            return StoreError::Unavailable { location, reason };
        }
        error.into()
    }
}
