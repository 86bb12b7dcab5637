//! Files through permits of a real gate, in real folders.

#[cfg(all(test, unix))]
mod change;
#[cfg(all(test, unix))]
mod fixture;
#[cfg(all(test, unix))]
mod permit;
#[cfg(all(test, unix))]
mod race;
#[cfg(all(test, unix))]
mod read;
