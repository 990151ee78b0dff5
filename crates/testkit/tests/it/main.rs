//! Tests of the test kit's public interface with the real clients.

mod real_clients;
