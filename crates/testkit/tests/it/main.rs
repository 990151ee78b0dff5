//! The test kit through its public interface, with the real clients.

mod real_clients;
