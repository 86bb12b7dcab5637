//! New ids: UUIDv7, so that rows lie in the order in which they were made.

use uuid::Uuid;

pub(crate) fn new_id<T: From<Uuid>>() -> T {
    T::from(Uuid::now_v7())
}
