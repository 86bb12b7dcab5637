//! Ids in addresses. A malformed id is answered like a missing object.

use crate::problem::{Problem, ProblemCode};
use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use std::str::FromStr;
use uuid::Uuid;
use wiiiv_domain::{ProviderName, StepId, SystemName};
use wiiiv_store::DecidedBy;

/// The one parameter of the route.
#[derive(Debug)]
pub(crate) struct IdPath<T>(pub T);

/// The two parameters of the route, in the order of its address.
#[derive(Debug)]
pub(crate) struct PairPath<A, B>(pub A, pub B);

/// A provider that a key can be for, in lower case.
#[derive(Debug)]
pub(crate) struct KeyProvider(pub ProviderName);

/// A step of a plan.
#[derive(Debug)]
pub(crate) struct PlanStep(pub StepId);

/// A registered system.
#[derive(Debug)]
pub(crate) struct KnownSystem(pub SystemName);

/// What somebody asks about: an id, or the number of an audit record.
#[derive(Debug, Clone, Copy)]
pub(crate) enum DecisionOf {
    Id(Uuid),
    Record(u64),
}

impl From<DecisionOf> for DecidedBy {
    fn from(of: DecisionOf) -> Self {
        match of {
            DecisionOf::Id(id) => Self::Id(id),
            DecisionOf::Record(seq) => Self::Record(seq),
        }
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for IdPath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        nth(&params, 0).map(Self)
    }
}

impl<S: Send + Sync, A: FromStr, B: FromStr> FromRequestParts<S> for PairPath<A, B> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        Ok(Self(nth(&params, 0)?, nth(&params, 1)?))
    }
}

impl FromStr for KeyProvider {
    type Err = ProblemCode;
    fn from_str(text: &str) -> Result<Self, ProblemCode> {
        let mut known = ProviderName::ALL.into_iter().filter(|name| !name.is_built_in());
        let named = known.find(|name| name.as_str().to_lowercase() == text);
        named.map(Self).ok_or(ProblemCode::NotFound)
    }
}

impl FromStr for DecisionOf {
    type Err = ProblemCode;
    fn from_str(text: &str) -> Result<Self, ProblemCode> {
        let id = || text.parse().map(Self::Id).map_err(|_| ProblemCode::NotFound);
        text.parse().map(Self::Record).or_else(|_| id())
    }
}

impl FromStr for PlanStep {
    type Err = ProblemCode;
    fn from_str(text: &str) -> Result<Self, ProblemCode> {
        StepId::parse(text).map(Self).map_err(|_| ProblemCode::NotFound)
    }
}

impl FromStr for KnownSystem {
    type Err = ProblemCode;
    fn from_str(text: &str) -> Result<Self, ProblemCode> {
        SystemName::parse(text).map(Self).map_err(|_| ProblemCode::NotFound)
    }
}

async fn read<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<RawPathParams, Problem> {
    let params = RawPathParams::from_request_parts(parts, state).await;
    params.map_err(|_| ProblemCode::NotFound.into())
}

fn nth<T: FromStr>(params: &RawPathParams, index: usize) -> Result<T, Problem> {
    let value = params.iter().nth(index).and_then(|(_, value)| value.parse().ok());
    value.ok_or_else(|| ProblemCode::NotFound.into())
}
