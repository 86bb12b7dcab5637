//! Document families: every version that was ever written still loads.

#[cfg(test)]
mod documents;
#[cfg(test)]
mod systems;
