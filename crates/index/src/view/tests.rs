//! Views of small trees.
