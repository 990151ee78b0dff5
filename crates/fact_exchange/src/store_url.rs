//! The address of a store.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;

use thiserror::Error;
use url::{Host, Url};

/// The address of a store. [`fmt::Display`] omits the user name and the password.
#[derive(Clone, PartialEq, Eq)]
pub struct StoreUrl {
    url: Url,
    pub(crate) place: Place,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Folder(PathBuf),
    Bucket {
        name: String,
        prefix: String,
    },
    /// A web server. Such a store is read-only.
    Web(Url),
}

#[derive(Debug, Error, PartialEq, Eq)]
pub enum UrlError {
    #[error("`{0}` is not an address")]
    Malformed(String),
    #[error("a store cannot have a `{0}` address; use `file`, `s3` or `https`")]
    Scheme(String),
    #[error("`{0}` is not encrypted; `http` is only allowed for loopback addresses")]
    Unencrypted(String),
    #[error("the address of a store cannot contain a {0}")]
    Part(&'static str),
    #[error("`{0}` does not contain a bucket name")]
    NoBucket(String),
    #[error("`{0}` is not a folder on this machine; write `file:///path`")]
    NotLocal(String),
}

impl StoreUrl {
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        let url = Url::parse(text).map_err(|_| UrlError::Malformed(without_user(text)))?;
        if url.query().is_some() {
            return Err(UrlError::Part("query"));
        }
        if url.fragment().is_some() {
            return Err(UrlError::Part("fragment"));
        }
        let place = match url.scheme() {
            "file" => Place::Folder(
                url.to_file_path().map_err(|()| UrlError::NotLocal(without_user(text)))?,
            ),
            "s3" => bucket(&url)?,
            "https" => Place::Web(with_final_slash(&url)),
            "http" if is_loopback(&url) => Place::Web(with_final_slash(&url)),
            "http" => return Err(UrlError::Unencrypted(shown(&url))),
            other => return Err(UrlError::Scheme(other.to_owned())),
        };
        Ok(Self { url, place })
    }

    /// Returns whether the store is read-only.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        matches!(self.place, Place::Web(_))
    }

    /// Returns `text` without the user name and the password of this address.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if let Some(password) = self.url.password() {
            text = text.replace(&format!("{}:{password}@", self.url.username()), "");
            text = text.replace(password, "<redacted>");
        } else if !self.url.username().is_empty() {
            text = text.replace(&format!("{}@", self.url.username()), "");
        }
        text
    }
}

impl fmt::Display for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shown(&self.url))
    }
}

impl fmt::Debug for StoreUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StoreUrl({self})")
    }
}

fn bucket(url: &Url) -> Result<Place, UrlError> {
    if !url.username().is_empty() || url.password().is_some() {
        return Err(UrlError::Part("user name; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"));
    }
    let name = url.host_str().filter(|name| !name.is_empty());
    let name = name.ok_or_else(|| UrlError::NoBucket(shown(url)))?.to_owned();
    Ok(Place::Bucket { name, prefix: url.path().trim_matches('/').to_owned() })
}

pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => IpAddr::V4(address).is_loopback(),
        Some(Host::Ipv6(address)) => IpAddr::V6(address).is_loopback(),
        None => false,
    }
}

/// Adds a final slash. Without it, an object name would replace the last part of the address.
fn with_final_slash(url: &Url) -> Url {
    let mut url = url.clone();
    if !url.path().ends_with('/') {
        let path = format!("{}/", url.path());
        url.set_path(&path);
    }
    url
}

fn shown(url: &Url) -> String {
    without_user(url.as_str())
}

/// Removes the part before `@` from the authority of an address. The address may be malformed.
fn without_user(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else {
        // Without a scheme, the end of a password cannot be determined.
        return text.rsplit_once('@').map_or(text, |(_, rest)| rest).to_owned();
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let authority = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    format!("{scheme}://{authority}{path}")
}

#[cfg(test)]
mod tests;
