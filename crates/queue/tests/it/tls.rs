//! TLS to a real PostgreSQL server.

use std::path::Path;

use queue::{StoreLocation, TaskStore};
use testkit::{PostgresServer, eventually};

use crate::{PATIENCE, add, new_task};

fn open(url: &str) -> Result<TaskStore, String> {
    let location = StoreLocation::parse(url, Path::new("/")).unwrap();
    TaskStore::open(location, PATIENCE).map_err(|error| error.to_string())
}

/// Returns how many connections of stores use TLS, and how many do not.
fn connections(server: &PostgresServer) -> (i64, i64) {
    let mut client = postgres::Client::connect(&server.url(), postgres::NoTls).unwrap();
    let sql = "SELECT count(*) FILTER (WHERE s.ssl), count(*) FILTER (WHERE NOT s.ssl) \
               FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.application_name = 'adjutant queue'";
    let row = client.query_one(sql, &[]).unwrap();
    (row.get(0), row.get(1))
}

#[test]
fn a_certificate_is_accepted_only_from_a_known_authority_and_for_the_name_of_the_server() {
    let server = PostgresServer::start_with_tls();
    let root = format!("sslrootcert={}", server.authority().display());
    for (url, reason) in [
        (format!("{}?sslmode=require", server.tcp_url("localhost")), "certificate"),
        (format!("{}?sslmode=verify-full&{root}", server.tcp_url("127.0.0.1")), "certificate"),
        (
            format!("{}?sslmode=require&sslrootcert=/missing", server.tcp_url("localhost")),
            "/missing",
        ),
    ] {
        let error = open(&url).err().unwrap_or_else(|| panic!("{url} was accepted"));
        assert!(error.contains(reason), "{url}: {error}");
    }
    for mode in ["require", "verify-ca", "verify-full"] {
        let url = format!("{}?sslmode={mode}&{root}", server.tcp_url("localhost"));
        let mut store = open(&url).unwrap();
        add(&mut store, &new_task(mode));
        eventually("the connection uses TLS", || connections(&server) == (1, 0));
    }
    let _plain = open(&server.tcp_url("localhost")).unwrap();
    eventually("loopback is plain without `sslmode`", || connections(&server) == (0, 1));
}

#[test]
fn a_server_without_tls_is_refused_if_tls_is_required() {
    let server = PostgresServer::start_on_tcp();
    let error = open(&format!("{}?sslmode=require", server.tcp_url("localhost"))).err();
    assert!(error.as_ref().is_some_and(|error| error.contains("TLS")), "{error:?}");
    drop(open(&format!("{}?sslmode=disable", server.tcp_url("localhost"))).unwrap());
}
