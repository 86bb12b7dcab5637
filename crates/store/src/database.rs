//! The database: connections, schema, statements, columns, and its folder.

pub(crate) mod bind;
pub(crate) mod clock;
pub(crate) mod column;
pub(crate) mod connect;
pub(crate) mod direct_reader;
pub(crate) mod entity;
pub(crate) mod entity_row;
pub(crate) mod folder;
pub(crate) mod id;
pub(crate) mod number;
pub(crate) mod older;
pub(crate) mod page;
pub(crate) mod private;
pub(crate) mod record_seals;
pub(crate) mod schema;
pub(crate) mod sqlite;
pub(crate) mod sqlite_build;
pub(crate) mod statement;
pub(crate) mod totals;
pub(crate) mod versioned_cache;
pub(crate) mod versions;
