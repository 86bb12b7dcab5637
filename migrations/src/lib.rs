//! Schema steps of the store, in order.
//!
//! [`Migrator`] applies them; the SQL is in `migrations/sql`. `migrations/README.md` says how a
//! step meets running servers and how to add one. Begin reading at `migrator.rs`, then `step.rs`.

mod append_only;
mod migrator;
mod step;

pub use migrator::Migrator;
pub use sea_orm_migration::MigratorTrait;
