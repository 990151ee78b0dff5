//! Reads and writes the objects of a store. The size of an object is limited, and errors name the object.

use std::io;
use std::path::PathBuf;
use std::time::Duration;

use disk::Links;
use futures_util::StreamExt;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectMeta, ObjectStoreExt};
use tokio::runtime::Runtime;

use crate::bounds::{MAX_LISTED, REQUEST_TIMEOUT};
use crate::connect::{Connection, connect};
use crate::exchange::{ExchangeError, ObjectRefusal};
use crate::store_url::{Place, StoreUrl};

/// The maximum time for a request, including all retries.
const TOTAL_TIMEOUT: Duration = REQUEST_TIMEOUT.saturating_mul(2);

pub(crate) struct Objects {
    connection: Connection,
    url: StoreUrl,
    /// The folder that contains the objects within the store.
    folder: String,
    /// `None` only while this value is being dropped.
    runtime: Option<Runtime>,
}

impl Drop for Objects {
    fn drop(&mut self) {
        // A read from a folder store may never return, for example if the folder is on another machine. It must not
        // prevent the process from exiting.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Objects {
    pub(crate) fn open(
        url: &StoreUrl,
        variable: &dyn Fn(&str) -> Option<String>,
        folder: String,
        creates: bool,
    ) -> Result<Self, ExchangeError> {
        let connection = connect(url, variable, creates)?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| ExchangeError::Unusable(error.to_string()))?;
        Ok(Self { connection, url: url.clone(), folder, runtime: Some(runtime) })
    }

    pub(crate) fn url(&self) -> &StoreUrl {
        &self.url
    }

    /// Runs `work` to completion on this thread.
    pub(crate) fn run<T>(
        &self,
        work: impl Future<Output = Result<T, ExchangeError>>,
    ) -> Result<T, ExchangeError> {
        match &self.runtime {
            Some(runtime) => runtime.block_on(work),
            None => Err(ExchangeError::Unusable("no runtime".to_owned())),
        }
    }

    /// Reads an object of at most `max` bytes. Returns `None` if the object does not exist.
    pub(crate) async fn read(
        &self,
        object: &str,
        max: u64,
    ) -> Result<Option<Vec<u8>>, ExchangeError> {
        if let Place::Folder(folder) = &self.url.place {
            let path = folder.join(&self.folder).join(object);
            return self.in_time("read", object, read_file(path, object, max)).await;
        }
        let reading = async {
            let got = match self.connection.store.get(&self.path(object)).await {
                Err(object_store::Error::NotFound { .. }) => return Ok(None),
                got => got.map_err(|error| self.failed("read", object, &error))?,
            };
            let too_large = || ExchangeError::refused(object, ObjectRefusal::TooLarge { max });
            if got.meta.size > max {
                return Err(too_large());
            }
            let mut bytes = Vec::with_capacity(usize::try_from(got.meta.size).unwrap_or(0));
            let mut stream = got.into_stream();
            while let Some(chunk) = stream.next().await {
                let chunk = chunk.map_err(|error| self.failed("read", object, &error))?;
                if bytes.len() as u64 + chunk.len() as u64 > max {
                    return Err(too_large());
                }
                bytes.extend_from_slice(&chunk);
            }
            Ok(Some(bytes))
        };
        self.in_time("read", object, reading).await
    }

    pub(crate) async fn write(&self, object: &str, bytes: Vec<u8>) -> Result<(), ExchangeError> {
        let path = self.path(object);
        let writing = async {
            let put = self.connection.store.put(&path, bytes.into()).await;
            put.map(|_| ()).map_err(|error| self.failed("write", object, &error))
        };
        self.in_time("write", object, writing).await
    }

    /// Deletes an object. Succeeds if the object does not exist.
    pub(crate) async fn delete(&self, object: &str) -> Result<(), ExchangeError> {
        let path = self.path(object);
        let deleting = async {
            match self.connection.store.delete(&path).await {
                Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
                Err(error) => Err(self.failed("delete", object, &error)),
            }
        };
        self.in_time("delete", object, deleting).await
    }

    /// Returns the objects in `folder`. Each entry contains the last part of the name, and metadata such as the size
    /// and the modification time.
    pub(crate) async fn list(
        &self,
        folder: &str,
    ) -> Result<Vec<(String, ObjectMeta)>, ExchangeError> {
        let path = self.path(folder);
        let listing = async {
            let mut found = Vec::new();
            let mut stream = self.connection.store.list(Some(&path));
            while let Some(meta) = stream.next().await {
                let meta = match meta {
                    Err(object_store::Error::NotFound { .. }) => continue,
                    meta => meta.map_err(|error| self.failed("list", folder, &error))?,
                };
                if found.len() >= MAX_LISTED {
                    let refusal = ObjectRefusal::TooMany { what: "objects", max: MAX_LISTED };
                    return Err(ExchangeError::refused(folder, refusal));
                }
                if let Some(name) = meta.location.filename() {
                    found.push((name.to_owned(), meta));
                }
            }
            Ok(found)
        };
        self.in_time("list", folder, listing).await
    }

    async fn in_time<T>(
        &self,
        action: &'static str,
        object: &str,
        work: impl Future<Output = Result<T, ExchangeError>>,
    ) -> Result<T, ExchangeError> {
        tokio::time::timeout(TOTAL_TIMEOUT, work).await.unwrap_or_else(|_| {
            let reason = format!("no answer within {} s", TOTAL_TIMEOUT.as_secs());
            Err(ExchangeError::Request { action, object: object.to_owned(), reason })
        })
    }

    fn path(&self, object: &str) -> ObjectPath {
        let parts = self.folder.split('/').chain(object.split('/'));
        parts.fold(self.connection.base.clone(), |path, part| path.join(part))
    }

    fn failed(
        &self,
        action: &'static str,
        object: &str,
        error: &object_store::Error,
    ) -> ExchangeError {
        let reason = match std::error::Error::source(error) {
            Some(source) => source.to_string(),
            None => error.to_string(),
        };
        ExchangeError::Request {
            action,
            object: object.to_owned(),
            reason: self.url.redact(&reason),
        }
    }
}

/// Reads an object of a folder store. The client of the store would wait for a named pipe without end.
async fn read_file(
    path: PathBuf,
    object: &str,
    max: u64,
) -> Result<Option<Vec<u8>>, ExchangeError> {
    let reading = tokio::task::spawn_blocking(move || match path.is_dir() {
        // A folder is not an object.
        true => Err(io::ErrorKind::NotFound.into()),
        false => disk::read(&path, Links::Follow, max),
    });
    let failed =
        |reason| ExchangeError::Request { action: "read", object: object.to_owned(), reason };
    let is = |error: &io::Error, kind| error.kind() == kind;
    match reading.await.map_err(|error| failed(error.to_string()))? {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if is(&error, io::ErrorKind::NotFound) => Ok(None),
        Err(error) if is(&error, io::ErrorKind::FileTooLarge) => {
            Err(ExchangeError::refused(object, ObjectRefusal::TooLarge { max }))
        }
        Err(error) if is(&error, io::ErrorKind::InvalidInput) => Err(failed(format!("it {error}"))),
        Err(error) => Err(failed(error.to_string())),
    }
}
