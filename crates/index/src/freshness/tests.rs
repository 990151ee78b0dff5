//! Changes since a snapshot.
