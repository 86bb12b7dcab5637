//! Plans from spec to end, through the public interface.

#[cfg(test)]
mod draw;
#[cfg(test)]
mod edits;
#[cfg(test)]
mod forms;
#[cfg(test)]
mod preview;
#[cfg(test)]
mod provenance;
#[cfg(test)]
mod run;
#[cfg(test)]
mod systems;
#[cfg(test)]
mod test_plans;
#[cfg(test)]
mod validate;
