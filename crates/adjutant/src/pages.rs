//! The address of the documentation. An installed program has no `docs` folder, so messages and help texts refer to the
//! web pages.

/// Expands to the address of a page in `docs`, as a string literal for help texts.
macro_rules! page {
    ($path:literal) => {
        concat!("https://github.com/adjutant-dev/adjutant/blob/main/docs/", $path)
    };
}

pub(crate) use page;
