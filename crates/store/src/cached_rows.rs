//! Rows that every turn reads and few change: cached until their part of the database changes (ADR
//! 0030).

use crate::{
    account::bearer::Bearer,
    database::{
        entity::{model_key, profile},
        versioned_cache::VersionedCache,
        versions::{Part, Versions},
    },
    memory::MemoryRow,
    policy::stamp::PolicyStamp,
    profile::ProfileOwner,
    session::row::SessionRow,
    system::SystemsStamp,
};
use std::sync::Arc;
use uuid::Uuid;
use wiiiv_domain::MemoryOwner;
use wiiiv_gate::Standing;

/// A token's hash, and the project that is asked about.
type BearerKey = (Vec<u8>, Option<Uuid>);
/// Holder and provider.
type KeyPlace = (String, &'static str);

#[derive(Debug)]
pub(crate) struct CachedRows {
    pub(crate) bearers: VersionedCache<BearerKey, Option<Arc<Bearer>>>,
    /// By account and project: whether this is a member whose account is open.
    pub(crate) members: VersionedCache<(Uuid, Uuid), bool>,
    /// The newest version.
    pub(crate) memories: VersionedCache<MemoryOwner, Option<Arc<MemoryRow>>>,
    /// Sealed.
    pub(crate) model_keys: VersionedCache<KeyPlace, Option<Arc<model_key::Model>>>,
    /// The newest version, sealed.
    pub(crate) profiles: VersionedCache<ProfileOwner, Option<Arc<profile::Model>>>,
    pub(crate) conversations: VersionedCache<Uuid, Option<Arc<SessionRow>>>,
    /// By requester: how many questions wait.
    pub(crate) waiting: VersionedCache<Uuid, u64>,
    pub(crate) standings: VersionedCache<Uuid, Option<Standing>>,
    /// By project: whether any opinion was ever recorded in it.
    pub(crate) deliberating: VersionedCache<Uuid, bool>,
    /// By project: whether any grant was ever given in it that may still count.
    pub(crate) granting: VersionedCache<Uuid, bool>,
    /// By project.
    pub(crate) policies: VersionedCache<Uuid, Option<PolicyStamp>>,
    /// By project.
    pub(crate) systems: VersionedCache<Uuid, SystemsStamp>,
}

impl CachedRows {
    pub(crate) fn new(versions: &Arc<Versions>) -> Self {
        let bearer = &[Part::Accounts, Part::Tokens, Part::Members, Part::Projects];
        Self {
            bearers: VersionedCache::new(versions, bearer),
            members: VersionedCache::new(versions, &[Part::Accounts, Part::Members]),
            memories: VersionedCache::new(versions, &[Part::Memories]),
            model_keys: VersionedCache::new(versions, &[Part::ModelKeys]),
            profiles: VersionedCache::new(versions, &[Part::Profiles]),
            conversations: VersionedCache::new(versions, &[Part::Conversations]),
            waiting: VersionedCache::new(versions, &[Part::Approvals]),
            standings: VersionedCache::new(versions, &[Part::Standings, Part::Halts]),
            deliberating: VersionedCache::new(versions, &[Part::Opinions]),
            granting: VersionedCache::new(versions, &[Part::Grants]),
            policies: VersionedCache::new(versions, &[Part::Policies]),
            systems: VersionedCache::new(versions, &[Part::Systems]),
        }
    }
}
