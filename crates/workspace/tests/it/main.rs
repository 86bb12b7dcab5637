//! Files through permits of a real gate, in real folders.

#[cfg(test)]
#[cfg(unix)]
mod change;
#[cfg(test)]
#[cfg(unix)]
mod permit;
#[cfg(test)]
#[cfg(unix)]
mod race;
#[cfg(test)]
#[cfg(unix)]
mod read;
#[cfg(test)]
#[cfg(unix)]
mod test_folder;
