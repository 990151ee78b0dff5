//! The location of a store: a SQLite file or a PostgreSQL server.

use std::fmt;
use std::path::{Path, PathBuf};

/// The location of a store. `Display` and `Debug` never contain a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreLocation {
    File(PathBuf),
    Postgres(PostgresUrl),
}

/// The URL of a PostgreSQL database, which may contain a password.
#[derive(Clone, PartialEq, Eq)]
pub struct PostgresUrl(pub(crate) String);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the store is neither a file nor a URL such as `postgres://user@host/database`")]
pub struct InvalidLocation;

const SCHEMES: [&str; 2] = ["postgres://", "postgresql://"];

impl StoreLocation {
    /// Parses a URL or a path. A relative path is resolved against `directory`.
    pub fn parse(text: &str, directory: &Path) -> Result<Self, InvalidLocation> {
        if SCHEMES.iter().any(|scheme| text.starts_with(scheme)) {
            return Ok(Self::Postgres(PostgresUrl(text.to_owned())));
        }
        if text.is_empty() || text.contains("://") {
            return Err(InvalidLocation);
        }
        Ok(Self::File(directory.join(text)))
    }
}

impl fmt::Display for StoreLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Postgres(url) => write!(f, "{url}"),
        }
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for PostgresUrl {
    /// Prints the scheme, the user, the host and the database. The password and the parameters, which may contain a
    /// password, are left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, rest) = self.0.split_once("://").unwrap_or(("postgres", ""));
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        // A password may contain an unescaped `/` or `@`, so the last `@` separates the user from the host.
        let (user, place) = match rest.rsplit_once('@') {
            Some((user, place)) => (user.split(':').next().unwrap_or_default(), place),
            None => ("", rest),
        };
        let at = if user.is_empty() { "" } else { "@" };
        write!(f, "{scheme}://{user}{at}{place}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_printed_location_contains_no_password() {
        let location = |text: &str| StoreLocation::parse(text, Path::new("/home/me")).unwrap();
        for text in [
            "postgres://me:hunter2@db.example/queue",
            "postgres://me:hunter2@db.example/queue?password=hunter2&sslmode=require",
            "postgresql://me:hun%40ter2:hunter2@db.example:5432/queue#hunter2",
            "postgres://me:a/hunter2@b@db.example/queue",
        ] {
            let location = location(text);
            let printed = format!("{location} {location:?}");
            assert!(printed.contains("me@db.example") && !printed.contains("hunter2"), "{printed}");
        }
        assert_eq!(location("queue.db").to_string(), "/home/me/queue.db");
        assert_eq!(location("postgres:///queue").to_string(), "postgres:///queue");
        for text in ["", "mysql://x"] {
            assert_eq!(StoreLocation::parse(text, Path::new("/")), Err(InvalidLocation));
        }
    }
}
