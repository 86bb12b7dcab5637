//! Steps done for real: temporary folders, services on loopback, permits of a real gate.

#[cfg(test)]
mod api;
#[cfg(test)]
mod broken_connection;
#[cfg(test)]
mod compile_fail;
#[cfg(test)]
mod file;
/// The workspace's own: permits are made in one way.
#[cfg(test)]
#[path = "../../../workspace/tests/it/permit.rs"]
mod permit;
#[cfg(test)]
mod service;
#[cfg(test)]
mod ssrf;
#[cfg(test)]
mod systems;
#[cfg(test)]
mod test_steps;
#[cfg(test)]
mod transform;
#[cfg(test)]
mod web;
