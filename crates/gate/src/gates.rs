//! The four gates. Each gives ALLOW or the first reason against it.

pub(crate) mod approval;
pub(crate) mod cost;
pub(crate) mod dacs;
pub(crate) mod fine_rules;
pub(crate) mod foreign;
pub(crate) mod grant;
pub(crate) mod permission;
