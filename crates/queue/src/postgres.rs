//! Runs the store's statements on a PostgreSQL database, which several machines can share.

mod tls;

use std::collections::HashMap;
use std::error::Error;
use std::time::Duration;

use postgres::types::{FromSql, ToSql, Type};
use postgres::{Client, Statement};

use crate::database::{Access, Database, DatabaseError, ErrorKind, Row, Value};
use crate::location::PostgresUrl;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);
const NOW: &str = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)";

pub(crate) struct Postgres {
    client: Client,
    statements: HashMap<String, Statement>,
}

impl Postgres {
    pub(crate) fn connect(url: &PostgresUrl) -> Result<Self, DatabaseError> {
        let (mut config, connector) = tls::config(url)?;
        config.application_name("adjutant queue");
        config.keepalives_idle(Duration::from_secs(30));
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        let client = config.connect(connector)?;
        Ok(Self { client, statements: HashMap::new() })
    }

    fn prepared(&mut self, sql: &str) -> Result<Statement, DatabaseError> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&translated(sql))?;
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

impl Database for Postgres {
    fn begin(&mut self, access: Access) -> Result<(), DatabaseError> {
        let statement = match access {
            Access::Read => "BEGIN READ ONLY",
            Access::Write => "BEGIN",
        };
        Ok(self.client.batch_execute(statement)?)
    }

    fn commit(&mut self) -> Result<(), DatabaseError> {
        Ok(self.client.batch_execute("COMMIT")?)
    }

    fn rollback(&mut self) {
        // This fails if the connection is lost. The server then rolls back the transaction.
        drop(self.client.batch_execute("ROLLBACK"));
    }

    fn execute(&mut self, sql: &str, values: &[Value]) -> Result<u64, DatabaseError> {
        let statement = self.prepared(sql)?;
        let values = converted(values, statement.params());
        Ok(self.client.execute(&statement, &borrowed(&values))?)
    }

    fn query(&mut self, sql: &str, values: &[Value]) -> Result<Vec<Row>, DatabaseError> {
        let statement = self.prepared(sql)?;
        let values = converted(values, statement.params());
        let rows = self.client.query(&statement, &borrowed(&values))?;
        rows.iter()
            .map(|row| {
                let values = (0..row.len()).map(|column| row.try_get::<_, Value>(column));
                Ok(Row(values.collect::<Result<Vec<Value>, _>>()?.into_iter()))
            })
            .collect()
    }

    fn batch(&mut self, sql: &str) -> Result<(), DatabaseError> {
        Ok(self.client.batch_execute(&translated(sql))?)
    }

    fn lock(&mut self, name: &str) -> Result<(), DatabaseError> {
        let sql = "SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))) AS locked";
        self.query(sql, &[name.into()]).map(drop)
    }
}

/// Converts parameters to PostgreSQL values. `types` lists the parameter types, which are needed to convert nulls.
fn converted(values: &[Value], types: &[Type]) -> Vec<Box<dyn ToSql + Sync>> {
    let convert = |(value, column): (&Value, &Type)| -> Box<dyn ToSql + Sync> {
        match value {
            Value::Null if *column == Type::INT8 => Box::new(None::<i64>),
            Value::Null => Box::new(None::<String>),
            Value::Integer(number) => Box::new(*number),
            Value::Text(text) => Box::new(text.clone()),
        }
    };
    values.iter().zip(types).map(convert).collect()
}

fn borrowed(values: &[Box<dyn ToSql + Sync>]) -> Vec<&(dyn ToSql + Sync)> {
    values.iter().map(|value| &**value).collect()
}

fn translated(sql: &str) -> String {
    sql.replace("{now}", NOW)
        .replace("{serial}", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY")
        .replace("{lock}", "FOR UPDATE OF t")
        .replace("{skip_locked}", "FOR UPDATE OF t SKIP LOCKED")
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(column: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        if *column == Type::INT4 {
            return Ok(Self::Integer(i32::from_sql(column, raw)?.into()));
        }
        if *column == Type::INT8 {
            return Ok(Self::Integer(i64::from_sql(column, raw)?));
        }
        Ok(Self::Text(String::from_sql(column, raw)?))
    }

    fn from_sql_null(_column: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(column: &Type) -> bool {
        *column == Type::INT4 || *column == Type::INT8 || <String as FromSql<'a>>::accepts(column)
    }
}

impl From<postgres::Error> for DatabaseError {
    fn from(error: postgres::Error) -> Self {
        let kind = match error.as_db_error().map(|error| error.code().code()) {
            // Serialization failure and deadlock.
            Some("40001" | "40P01") => ErrorKind::Conflict,
            // Connection exceptions, too many connections, and a server that is stopping or starting.
            Some(code) if code.starts_with("08") || code.starts_with("57P") || code == "53300" => {
                ErrorKind::Disconnected
            }
            Some("53100") => ErrorKind::DiskFull,
            Some(_) => ErrorKind::Other,
            None if has_invalid_certificate(&error) => ErrorKind::Other,
            None if error.is_closed() || is_network(&error) => ErrorKind::Disconnected,
            None => ErrorKind::Other,
        };
        Self { kind, message: message(&error) }
    }
}

fn is_network(error: &postgres::Error) -> bool {
    error.source().is_some_and(|source| source.is::<std::io::Error>())
}

/// Returns whether the server's certificate was rejected. Such an error is not retried.
fn has_invalid_certificate(error: &postgres::Error) -> bool {
    let source = error.source().and_then(|source| source.downcast_ref::<std::io::Error>());
    let cause = source.and_then(std::io::Error::get_ref);
    cause
        .and_then(|cause| cause.downcast_ref::<rustls::Error>())
        .is_some_and(|cause| matches!(cause, rustls::Error::InvalidCertificate(_)))
}

/// Returns the message of an error and of its source. The message contains no part of the URL.
fn message(error: &postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(error), _) => error.message().to_owned(),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}
