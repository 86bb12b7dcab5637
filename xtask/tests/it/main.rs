//! `tidy` and clippy shown to refuse what they are there to refuse.

#[cfg(test)]
mod clippy;
#[cfg(test)]
mod fixture;
#[cfg(test)]
mod tidy;
