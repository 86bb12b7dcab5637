//! The authenticated person of a request, and their rights to an object.

use crate::{
    access::{
        authorization::{Role, Rule},
        credential::Credential,
        used_rights::{UsedRight, UsedRights},
    },
    problem::{Problem, ProblemCode, refusal::BUSY_SECONDS},
    state::{AppState, now},
};
use axum::{extract::FromRequestParts, http::request::Parts};
use wiiiv_domain::{ProjectId, UserId};
use wiiiv_gate::{Principal, Rights};
use wiiiv_store::{AuthError, SessionRow};

/// Authentication comes before anything else is looked at: whoever is nobody learns nothing.
#[derive(Debug, Clone)]
pub(crate) struct Caller {
    /// Of the server that is called.
    pub state: AppState,
    pub credential: Credential,
    /// Without a project: for what belongs to the account or the server.
    pub account: Principal,
    used: UsedRights,
}

impl std::fmt::Debug for AppState {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("AppState(..)")
    }
}

impl FromRequestParts<AppState> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &AppState) -> Result<Self, Problem> {
        let secure = state.config().secure_cookies;
        let credential = Credential::of(&parts.headers, secure)?;
        let account = authenticate(state, &credential, None).await?;
        let used = parts.extensions.get::<UsedRights>().cloned().unwrap_or_default();
        Ok(Self { state: state.clone(), credential, account, used })
    }
}

async fn authenticate(
    state: &AppState,
    credential: &Credential,
    project: Option<ProjectId>,
) -> Result<Principal, Problem> {
    Ok(state.store().authenticate(credential.presented(), project, now()).await?)
}

impl Caller {
    pub(crate) fn user(&self) -> UserId {
        self.account.user()
    }

    /// The person with the rights of that project; a stranger to it is told that it is not there.
    pub(crate) async fn enter(
        &self,
        project: ProjectId,
        rule: &Rule,
    ) -> Result<Principal, Problem> {
        let who = authenticate(&self.state, &self.credential, Some(project)).await?;
        if !rule.is_seen_with(who.rights()) {
            return Err(ProblemCode::NotFound.into());
        }
        let who = self.allowed(rule, who).await?;
        let operation = rule.operation.to_owned();
        self.used.note(UsedRight::Project { operation, project: project.uuid() });
        Ok(who)
    }

    /// A conversation is its founder's; to everybody else it is not there.
    pub(crate) async fn converse(
        &self,
        session: &SessionRow,
        rule: &Rule,
    ) -> Result<Principal, Problem> {
        if session.owner == self.user() {
            self.enter(session.project, rule).await
        } else {
            Err(ProblemCode::NotFound.into())
        }
    }

    /// What the person may do in that project, which may be nothing.
    pub(crate) async fn rights_in(&self, project: ProjectId) -> Result<Rights, Problem> {
        Ok(authenticate(&self.state, &self.credential, Some(project)).await?.rights())
    }

    /// A question is there for who asked it, with any role, and for the roles of the rule; so is a
    /// conversation that is to be halted for who began it.
    pub(crate) async fn judge(
        &self,
        (project, requester): (ProjectId, UserId),
        rule: &Rule,
    ) -> Result<Principal, Problem> {
        let who = authenticate(&self.state, &self.credential, Some(project)).await?;
        let member = Role::ALL.iter().any(|r| *r != Role::Admin && r.is_held(who.rights()));
        let asked = member && requester == self.user();
        if !asked && !rule.is_seen_with(who.rights()) {
            return Err(ProblemCode::NotFound.into());
        }
        let who = self.allowed(rule, who).await?;
        let (operation, project) = (rule.operation.to_owned(), project.uuid());
        self.used.note(UsedRight::Question { operation, project, requester: requester.uuid() });
        Ok(who)
    }

    /// The same of a question, also for whoever stands in for somebody who may answer it, where it is
    /// `lent`: a delegation lends what waits.
    pub(crate) async fn answer(
        &self,
        (project, requester): (ProjectId, UserId),
        rule: &Rule,
        lent: bool,
    ) -> Result<Principal, Problem> {
        let refused = match self.judge((project, requester), rule).await {
            Err(refused) if is_refusal(refused.code()) => refused,
            judged => return judged,
        };
        if !(lent && self.state.store().stands_in(&self.account, project, requester).await?) {
            return Err(refused);
        }
        let who = authenticate(&self.state, &self.credential, Some(project)).await?;
        let (operation, project) = (rule.operation.to_owned(), project.uuid());
        self.used.note(UsedRight::StandIn { operation, project, requester: requester.uuid() });
        Ok(who)
    }

    /// An administrator, in a project that something was escalated to them from.
    pub(crate) async fn oversee(&self, project: ProjectId) -> Result<Principal, Problem> {
        let who = authenticate(&self.state, &self.credential, Some(project)).await?;
        if who.rights().admin { Ok(who) } else { Err(ProblemCode::NotFound.into()) }
    }

    /// The log-in still stands: for what goes on after its request was let in.
    pub(crate) async fn still_signed_in(&self) -> Result<(), Problem> {
        authenticate(&self.state, &self.credential, None).await.map(drop)
    }

    /// As an administrator, asked anew: a body may have come long after the rights were looked at.
    pub(crate) async fn administer(&self, rule: &Rule) -> Result<Principal, Problem> {
        let who = authenticate(&self.state, &self.credential, None).await?;
        let who = self.allowed(rule, who).await?;
        self.used.note(UsedRight::Server { operation: rule.operation.to_owned() });
        Ok(who)
    }

    /// What changes an account is judged by the rights in the account's own project, of which a
    /// token that may only look has none.
    pub(crate) async fn change_account(&self) -> Result<(), Problem> {
        if !self.acts_in_full().await? {
            return Err(looks_only());
        }
        self.used.note(UsedRight::FullToken);
        Ok(())
    }

    /// Whoever holds none of the rule's roles is told which these are. Whose token may only look is told that: no role
    /// would help them.
    async fn allowed(&self, rule: &Rule, who: Principal) -> Result<Principal, Problem> {
        if rule.is_allowed_with(who.rights()) {
            return Ok(who);
        }
        let full = self.acts_in_full().await;
        Err(if matches!(full, Ok(false)) { looks_only() } else { forbidden(rule) })
    }

    /// The token may do all that its owner may.
    pub(crate) async fn acts_in_full(&self) -> Result<bool, Problem> {
        let personal = self.state.store().personal_project(self.user()).await?;
        let personal = personal.ok_or(ProblemCode::Forbidden)?;
        let who = authenticate(&self.state, &self.credential, Some(personal)).await?;
        Ok(who.rights().owner)
    }
}

const fn is_refusal(code: ProblemCode) -> bool {
    matches!(code, ProblemCode::NotFound | ProblemCode::Forbidden)
}

fn looks_only() -> Problem {
    Problem::new(ProblemCode::Forbidden).with("token", "read")
}

fn forbidden(rule: &Rule) -> Problem {
    let roles: Vec<&str> = rule.allowed.iter().map(|role| role.as_str()).collect();
    Problem::new(ProblemCode::Forbidden).with("roles", roles)
}

impl From<AuthError> for Problem {
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::WrongPassword => ProblemCode::WrongCredentials.into(),
            AuthError::WrongToken => ProblemCode::Unauthenticated.into(),
            AuthError::NoRight => ProblemCode::NotFound.into(),
            AuthError::Busy => Self::new(ProblemCode::TooManyLogins).retry_after(BUSY_SECONDS),
            AuthError::Store(error) => error.into(),
        }
    }
}
