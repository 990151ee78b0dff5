//! A URL that receives notices.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use rustls::crypto::ring;
use ureq::Agent;
use ureq::http::Uri;
use ureq::tls::{Certificate, RootCerts, TlsConfig};

const TIMEOUT: Duration = Duration::from_secs(10);

/// A URL with `https`, or with `http` and a loopback address. `Display` prints only the scheme, the host and the port,
/// because the path often contains a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Webhook(Uri);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a webhook needs an https URL, or an http URL with a loopback address")]
pub struct InvalidWebhook;

impl Webhook {
    pub fn parse(text: &str) -> Result<Self, InvalidWebhook> {
        let uri: Uri = text.parse().map_err(|_| InvalidWebhook)?;
        let host = uri.host().unwrap_or_default();
        let address = host.trim_matches(['[', ']']);
        let is_loopback = host == "localhost"
            || address.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        let is_allowed = match uri.scheme_str() {
            Some("https") => !host.is_empty(),
            Some("http") => is_loopback,
            _ => false,
        };
        if is_allowed { Ok(Self(uri)) } else { Err(InvalidWebhook) }
    }

    pub(super) fn post(&self, content: &str) -> Result<(), String> {
        let mut tls = TlsConfig::builder()
            .unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()));
        if self.0.scheme_str() == Some("https") {
            let certificates = rustls_native_certs::load_native_certs().certs;
            let certificates =
                certificates.iter().map(|found| Certificate::from_der(found).to_owned());
            let certificates: Vec<Certificate<'static>> = certificates.collect();
            tls = tls.root_certs(RootCerts::Specific(Arc::new(certificates)));
        }
        let agent: Agent = Agent::config_builder()
            .timeout_global(Some(TIMEOUT))
            .max_redirects(0)
            .tls_config(tls.build())
            .build()
            .into();
        let sent = agent
            .post(self.0.clone())
            .header("content-type", "application/json")
            .send(content.as_bytes());
        match sent {
            Ok(answer) if answer.status().is_success() => Ok(()),
            Ok(answer) => Err(format!("status {}", answer.status().as_u16())),
            // Most error messages are replaced, because they can contain the URL.
            Err(ureq::Error::StatusCode(status)) => Err(format!("status {status}")),
            Err(ureq::Error::Timeout(_)) => {
                Err(format!("no answer within {} s", TIMEOUT.as_secs()))
            }
            Err(ureq::Error::Io(error)) => Err(error.to_string()),
            Err(_) => Err("the request failed".to_owned()),
        }
    }
}

impl fmt::Display for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, host) = (self.0.scheme_str(), self.0.host());
        write!(f, "{}://{}", scheme.unwrap_or_default(), host.unwrap_or_default())?;
        self.0.port_u16().map_or(Ok(()), |port| write!(f, ":{port}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_http_is_only_for_loopback() {
        for url in [
            "https://hooks.example/T0/secret",
            "http://127.0.0.1:8080/x",
            "http://localhost/x",
            "http://[::1]:9/x",
        ] {
            assert!(Webhook::parse(url).is_ok(), "{url}");
        }
        for url in
            ["http://hooks.example/x", "http://127.0.0.1.example/x", "ftp://x/", "x", "https:///x"]
        {
            assert_eq!(Webhook::parse(url), Err(InvalidWebhook), "{url}");
        }
        let webhook = Webhook::parse("https://me:token@hooks.example:444/T0/secret?key=1").unwrap();
        assert_eq!(webhook.to_string(), "https://hooks.example:444");
    }
}
