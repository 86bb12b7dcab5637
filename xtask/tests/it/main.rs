//! `tidy` and clippy shown to refuse what they are there to refuse.

#[cfg(test)]
mod clippy;
#[cfg(test)]
mod repository;
#[cfg(test)]
mod tidy;
