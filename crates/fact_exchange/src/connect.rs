//! Opens the store at a given address.

use std::sync::Arc;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::client::ClientOptions;
use object_store::http::HttpBuilder;
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, RetryConfig};
use url::Url;

use crate::bounds::{CONNECT_TIMEOUT, MAX_RETRIES, REQUEST_TIMEOUT, RETRY_TIMEOUT};
use crate::exchange::ExchangeError;
use crate::store_url::{Place, StoreUrl, is_loopback};

/// A store and the path prefix of its objects.
pub(crate) struct Connection {
    pub(crate) store: Arc<dyn ObjectStore>,
    pub(crate) base: ObjectPath,
}

/// Opens a store. `variable` returns the value of an environment variable. If `creates` is true, a missing folder is created.
pub(crate) fn connect(
    url: &StoreUrl,
    variable: &dyn Fn(&str) -> Option<String>,
    creates: bool,
) -> Result<Connection, ExchangeError> {
    let unusable =
        |error: &dyn std::fmt::Display| ExchangeError::Unusable(url.redact(&error.to_string()));
    match &url.place {
        Place::Folder(folder) => {
            if creates {
                std::fs::create_dir_all(folder).map_err(|error| unusable(&error))?;
            }
            if !folder.is_dir() {
                return Err(unusable(&format!("`{}` is not a folder", folder.display())));
            }
            let store =
                LocalFileSystem::new_with_prefix(folder).map_err(|error| unusable(&error))?;
            Ok(Connection { store: Arc::new(store.with_fsync(true)), base: ObjectPath::default() })
        }
        Place::Web(address) => {
            use_ring();
            let store = HttpBuilder::new()
                .with_url(address.as_str())
                .with_client_options(client(address.scheme() == "http"))
                .with_retry(retries())
                .build()
                .map_err(|error| unusable(&error))?;
            Ok(Connection { store: Arc::new(store), base: ObjectPath::default() })
        }
        Place::Bucket { name, prefix } => {
            use_ring();
            let store = bucket(name, variable)?.build().map_err(|error| unusable(&error))?;
            let base = ObjectPath::parse(prefix).map_err(|error| unusable(&error))?;
            Ok(Connection { store: Arc::new(store), base })
        }
    }
}

/// Installs ring as the TLS cryptography provider of this process.
fn use_ring() {
    // The call fails if a provider has already been installed.
    let _ignored = rustls::crypto::ring::default_provider().install_default();
}

fn client(allows_http: bool) -> ClientOptions {
    ClientOptions::new()
        .with_allow_http(allows_http)
        .with_timeout(REQUEST_TIMEOUT)
        .with_connect_timeout(CONNECT_TIMEOUT)
}

fn retries() -> RetryConfig {
    RetryConfig { max_retries: MAX_RETRIES, retry_timeout: RETRY_TIMEOUT, ..RetryConfig::default() }
}

/// The environment variables that configure a bucket, apart from the credentials.
const BUCKET_VARIABLES: [&str; 6] = [
    "AWS_REGION",
    "AWS_DEFAULT_REGION",
    "AWS_ENDPOINT_URL",
    "AWS_ENDPOINT_URL_S3",
    "AWS_SKIP_SIGNATURE",
    "AWS_VIRTUAL_HOSTED_STYLE_REQUEST",
];

/// The environment variables that contain credentials.
const CREDENTIAL_VARIABLES: [&str; 9] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_ROLE_ARN",
    "AWS_ROLE_SESSION_NAME",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
];

/// The environment variables that select a source of credentials. If none is set, the connection is refused, because
/// the S3 client would otherwise request credentials from an address on the local network.
const CREDENTIAL_SOURCES: [&str; 5] = [
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_SKIP_SIGNATURE",
];

fn bucket(
    name: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<AmazonS3Builder, ExchangeError> {
    if CREDENTIAL_SOURCES.iter().all(|source| variable(source).is_none()) {
        return Err(ExchangeError::NoCredentials);
    }
    let endpoint = variable("AWS_ENDPOINT_URL_S3").or_else(|| variable("AWS_ENDPOINT_URL"));
    let allows_http = match endpoint.as_deref().map(Url::parse) {
        None => false,
        Some(Ok(url)) if url.scheme() == "https" => false,
        Some(Ok(url)) if url.scheme() == "http" && is_loopback(&url) => true,
        Some(_) => {
            let what = "AWS_ENDPOINT_URL must be an `https` address, or a loopback `http` address";
            return Err(ExchangeError::Unusable(what.to_owned()));
        }
    };
    let mut builder = AmazonS3Builder::new()
        .with_bucket_name(name)
        .with_client_options(client(allows_http))
        .with_allow_http(allows_http)
        .with_retry(retries());
    for name in BUCKET_VARIABLES.into_iter().chain(CREDENTIAL_VARIABLES) {
        let Some(value) = variable(name) else { continue };
        let Ok(key) = name.to_ascii_lowercase().parse::<AmazonS3ConfigKey>() else { continue };
        builder = builder.with_config(key, value);
    }
    if let Some(endpoint) = endpoint {
        builder = builder.with_endpoint(endpoint);
    }
    Ok(builder)
}
