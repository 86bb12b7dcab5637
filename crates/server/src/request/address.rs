//! Ids in addresses. A malformed id is answered like a missing object.

use crate::problem::{Problem, ProblemCode};
use axum::{
    extract::{FromRequestParts, RawPathParams},
    http::request::Parts,
};
use std::str::FromStr;
use wiiiv_domain::{ProviderName, StepId, SystemName, TurnId};

/// The parameter `id` of the route.
#[derive(Debug)]
pub(crate) struct IdPath<T>(pub T);

/// The parameters `id` and `step`.
#[derive(Debug)]
pub(crate) struct StepPath<T> {
    pub id: T,
    pub step: StepId,
}

/// The parameters `id` and `user`.
#[derive(Debug)]
pub(crate) struct MemberPath<T, U> {
    pub id: T,
    pub user: U,
}

/// The parameters `id` and `name`, which is a system's.
#[derive(Debug)]
pub(crate) struct NamePath<T> {
    pub id: T,
    pub name: SystemName,
}

/// The parameter `provider`: a provider that a key can be for, in lower case.
#[derive(Debug)]
pub(crate) struct ProviderPath(pub ProviderName);

/// The parameters `id` and `provider`.
#[derive(Debug)]
pub(crate) struct KeyPath<T> {
    pub id: T,
    pub provider: ProviderName,
}

/// The parameters `id` and `turn`.
#[derive(Debug)]
pub(crate) struct TurnPath<T> {
    pub id: T,
    pub turn: TurnId,
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for IdPath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        one(&params, "id").map(Self)
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for StepPath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        let text: String = one(&params, "step")?;
        let step = StepId::parse(&text).map_err(|_| ProblemCode::NotFound)?;
        Ok(Self { id: one(&params, "id")?, step })
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for NamePath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        let text: String = one(&params, "name")?;
        let name = SystemName::parse(&text).map_err(|_| ProblemCode::NotFound)?;
        Ok(Self { id: one(&params, "id")?, name })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ProviderPath {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        provider(&params).map(Self)
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for KeyPath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        Ok(Self { id: one(&params, "id")?, provider: provider(&params)? })
    }
}

impl<S: Send + Sync, T: FromStr> FromRequestParts<S> for TurnPath<T> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        Ok(Self { id: one(&params, "id")?, turn: one(&params, "turn")? })
    }
}

impl<S: Send + Sync, T: FromStr, U: FromStr> FromRequestParts<S> for MemberPath<T, U> {
    type Rejection = Problem;
    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let params = read(parts, state).await?;
        Ok(Self { id: one(&params, "id")?, user: one(&params, "user")? })
    }
}

async fn read<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<RawPathParams, Problem> {
    let params = RawPathParams::from_request_parts(parts, state).await;
    params.map_err(|_| ProblemCode::NotFound.into())
}

fn provider(params: &RawPathParams) -> Result<ProviderName, Problem> {
    let text: String = one(params, "provider")?;
    let mut known = ProviderName::ALL.into_iter().filter(|name| *name != ProviderName::Offline);
    let named = known.find(|name| name.as_str().to_lowercase() == text);
    named.ok_or_else(|| ProblemCode::NotFound.into())
}

fn one<T: FromStr>(params: &RawPathParams, name: &str) -> Result<T, Problem> {
    let value = params.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    let value = value.and_then(|value| value.parse().ok());
    value.ok_or_else(|| ProblemCode::NotFound.into())
}
