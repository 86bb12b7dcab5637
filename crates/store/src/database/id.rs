//! New ids: UUIDv7, so that rows are ordered by the time they were made.

use uuid::Uuid;

pub(crate) fn new_id<T: From<Uuid>>() -> T {
    T::from(Uuid::now_v7())
}
