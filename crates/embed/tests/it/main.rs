//! Models as their users see them: a folder, texts, vectors.

#[cfg(test)]
mod opening;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod speed;
#[cfg(test)]
mod weights;
