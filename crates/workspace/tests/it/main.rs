//! Files through permits of a real gate, in real folders.

#[cfg(test)]
mod change;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod permit;
#[cfg(test)]
mod race;
#[cfg(test)]
mod read;
