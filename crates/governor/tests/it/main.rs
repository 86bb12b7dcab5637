//! The governor over the real gate, store, executors and models.

#[cfg(test)]
mod concurrency;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod house;
#[cfg(test)]
mod rest;
#[cfg(test)]
mod turns;
