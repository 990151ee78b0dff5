//! Assembling small trees.
