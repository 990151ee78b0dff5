//! The connection settings in a PostgreSQL URL. A server on another machine must use TLS with a valid certificate,
//! unless the URL sets a weaker `sslmode`, such as `disable`.

use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use postgres::Config;
use postgres::config::{Host, SslMode};
use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::database::DatabaseError;
use crate::location::PostgresUrl;

/// Returns the connection settings and the TLS connector for a URL.
pub(super) fn config(url: &PostgresUrl) -> Result<(Config, MakeRustlsConnect), DatabaseError> {
    let Parameters { url, certificates, has_mode } = parameters(&url.0);
    // The parser's error could repeat a part of the URL.
    let invalid = |_| DatabaseError::unexpected("the URL of the PostgreSQL server is not valid");
    let mut config: Config = url.parse().map_err(invalid)?;
    if !has_mode {
        let mode = if config.get_hosts().iter().all(is_local) {
            SslMode::Disable
        } else {
            SslMode::Require
        };
        config.ssl_mode(mode);
    }
    let has_tls = config.get_ssl_mode() != SslMode::Disable;
    let roots = if has_tls { roots(certificates.as_deref())? } else { RootCertStore::empty() };
    let provider = Arc::new(ring::default_provider());
    let tls = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| DatabaseError::unexpected(error.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    Ok((config, MakeRustlsConnect::new(tls)))
}

struct Parameters {
    /// The URL without the parameters that only libpq supports.
    url: String,
    certificates: Option<String>,
    has_mode: bool,
}

/// Reads `sslrootcert` and `sslmode`, with the values that libpq defines. Certificates are always verified completely, so
/// `verify-ca` and `verify-full` have the same effect as `require`.
fn parameters(url: &str) -> Parameters {
    let (place, query) = url.split_once('?').unwrap_or((url, ""));
    let mut found = Parameters { url: place.to_owned(), certificates: None, has_mode: false };
    let mut kept = Vec::new();
    for parameter in query.split('&').filter(|parameter| !parameter.is_empty()) {
        match parameter.split_once('=') {
            Some(("sslrootcert", path)) => found.certificates = Some(path.to_owned()),
            Some(("sslmode", "verify-ca" | "verify-full")) => {
                found.has_mode = true;
                kept.push("sslmode=require");
            }
            Some(("sslmode", _)) => {
                found.has_mode = true;
                kept.push(parameter);
            }
            _ => kept.push(parameter),
        }
    }
    if !kept.is_empty() {
        found.url = format!("{place}?{}", kept.join("&"));
    }
    found
}

fn is_local(host: &Host) -> bool {
    match host {
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
        }
    }
}

/// Returns the certificates in `file`, or those that the system trusts if `file` is `None`.
fn roots(file: Option<&str>) -> Result<RootCertStore, DatabaseError> {
    let mut roots = RootCertStore::empty();
    let certificates: Vec<CertificateDer<'static>> = match file {
        Some(file) => CertificateDer::pem_file_iter(Path::new(file))
            .and_then(Iterator::collect)
            .map_err(|error| DatabaseError::unexpected(format!("sslrootcert `{file}`: {error}")))?,
        None => rustls_native_certs::load_native_certs().certs,
    };
    roots.add_parsable_certificates(certificates);
    if roots.is_empty() {
        let place = file.unwrap_or("the system");
        return Err(DatabaseError::unexpected(format!("found no certificates in {place}")));
    }
    Ok(roots)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(url: &str) -> SslMode {
        let Parameters { url, has_mode, .. } = parameters(url);
        let config: Config = url.parse().unwrap();
        let is_local = config.get_hosts().iter().all(is_local);
        match (has_mode, is_local) {
            (true, _) => config.get_ssl_mode(),
            (false, true) => SslMode::Disable,
            (false, false) => SslMode::Require,
        }
    }

    #[test]
    fn a_server_on_another_machine_must_use_tls() {
        for (url, wanted) in [
            ("postgres://me@db.example/queue", SslMode::Require),
            ("postgres://me@10.0.0.7/queue?application_name=x", SslMode::Require),
            ("postgres://me@db.example/queue?sslmode=verify-full", SslMode::Require),
            ("postgres://me@db.example/queue?sslmode=disable", SslMode::Disable),
            ("postgres://me@localhost/queue", SslMode::Disable),
            ("postgres://me@127.0.0.1:5433/queue", SslMode::Disable),
            ("postgres:///queue?host=/run/postgresql&user=me", SslMode::Disable),
            ("postgres://me@localhost,db.example/queue", SslMode::Require),
        ] {
            assert_eq!(mode(url), wanted, "{url}");
        }
    }

    #[test]
    fn an_invalid_url_is_not_repeated_in_the_error() {
        let url = PostgresUrl("postgres://me:hunter2@db.example:port/queue".to_owned());
        let error = config(&url).err().unwrap();
        assert!(!error.message.contains("hunter2"), "{}", error.message);
        let url = PostgresUrl("postgres://me@h/q?sslrootcert=/nowhere&sslmode=require".to_owned());
        assert!(config(&url).err().unwrap().message.contains("/nowhere"));
    }
}
