//! A list of what belongs to one scope: which rows of it, and the caller's right to them.

use crate::{
    access::{
        authorization::Rule,
        caller::Caller,
        scoped::{Wish, within},
    },
    dto::document::ScopeQuery,
    problem::Problem,
    request::page::PageQuery,
};
use wiiiv_domain::Scope;
use wiiiv_gate::Principal;
use wiiiv_store::Page;

pub(crate) struct ScopeList {
    pub scope: Scope,
    /// The caller, as the rule needs them there.
    pub who: Principal,
    /// Rows of one page.
    pub limit: u32,
    pub rows: Page,
}

impl ScopeList {
    /// What was asked for is looked at before the right to it.
    pub(crate) async fn of(
        caller: &Caller,
        query: ScopeQuery,
        (wish, rule): (Wish, &Rule),
    ) -> Result<Self, Problem> {
        let scope = query.scope()?;
        let page = PageQuery { limit: query.limit, cursor: query.cursor };
        let (limit, rows) = (page.limit()?, page.page()?);
        let who = within(caller, (scope, wish), rule).await?;
        Ok(Self { scope, who, limit, rows })
    }
}
