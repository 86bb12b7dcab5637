//! The three clients against real servers on loopback, which count their connections.

#[cfg(test)]
mod api;
#[cfg(test)]
mod bounds;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod provider;
#[cfg(test)]
mod rebinding;
#[cfg(test)]
mod redirects;
#[cfg(test)]
mod service;
