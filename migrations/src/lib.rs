//! Schema steps of the store, in order. How they meet running servers: `migrations/README.md`.

mod append_only;
mod migrator;
mod step;

pub use migrator::Migrator;
pub use sea_orm_migration::MigratorTrait;
