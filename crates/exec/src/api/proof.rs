//! Adds the credential or token to a request as its system is registered. Plans, prompts and
//! replies supply none of it, and none of it goes into them.

use super::{
    login::{self, LogIn},
    redact::Secrets,
    refusal,
    tokens::{Token, TokenKey, Tokens},
};
use crate::{
    fault::{contract, failure, not_started},
    system::SystemAccess,
};
use base64::{Engine as _, engine::general_purpose::STANDARD};
use secrecy::ExposeSecret as _;
use wiiiv_domain::{Authentication, FailureCategory, SessionId, StepFailure};
use wiiiv_net::{EgressRule, ToolClient, ToolRequest, ToolResponse, Url};
use wiiiv_vault::Credential;

const UNAUTHORIZED: u16 = 401;
const AUTHORIZATION: &str = "authorization";

/// An answer, and what must not be read in it.
pub(super) struct Answered {
    pub(super) response: ToolResponse,
    pub(super) secrets: Secrets,
}

/// Calls of one system, with its credential.
pub(super) struct Prover<'a> {
    pub(super) client: &'a ToolClient,
    pub(super) tokens: &'a Tokens,
    pub(super) access: &'a SystemAccess,
    pub(super) rules: &'a [EgressRule],
    /// The request acts: it may have had its effect although no answer came.
    pub(super) acts: bool,
}

impl Prover<'_> {
    pub(super) async fn send(
        &self,
        session: SessionId,
        request: ToolRequest,
    ) -> Result<Answered, StepFailure> {
        let authentication = &self.access.system.authentication;
        let credential = self.access.credential.as_ref();
        let proves = authentication.needs_credential();
        if proves && !self.access.lets_credential_go(request.method, &request.url) {
            return Err(not_started(not_registered()));
        }
        if let Authentication::LogIn { path, username_field, password_field, token_pointer } =
            authentication
        {
            let log_in = LogIn { path, username_field, password_field, token_pointer };
            return self.with_token(session, request, &log_in).await;
        }
        let secrets = Secrets::of(credential);
        let proof = header(authentication, credential).map_err(not_started)?;
        let response = self.dial(request, proof, &secrets).await?;
        Ok(Answered { response, secrets })
    }

    /// A token that is turned away is given up and asked for once more: the service that answers
    /// 401 has done nothing.
    async fn with_token(
        &self,
        session: SessionId,
        request: ToolRequest,
        log_in: &LogIn<'_>,
    ) -> Result<Answered, StepFailure> {
        let credential = self.access.credential.as_ref().ok_or_else(missing);
        let credential = credential.map_err(not_started)?;
        let mut secrets = Secrets::of(Some(credential));
        let token = self.token(session, credential, log_in).await?;
        secrets.add(&token);
        let proof = Some(bearer(token.expose_secret()));
        let response = self.dial(request.clone(), proof, &secrets).await?;
        if response.status != UNAUTHORIZED {
            return Ok(Answered { response, secrets });
        }
        self.tokens.drop_if(&self.key(session), &token).await;
        let token = self.token(session, credential, log_in).await.map_err(begun)?;
        secrets.add(&token);
        let proof = Some(bearer(token.expose_secret()));
        let again = self.dial(request, proof, &secrets).await;
        let response = again.map_err(begun)?;
        if response.status == UNAUTHORIZED {
            self.tokens.drop_if(&self.key(session), &token).await;
        }
        Ok(Answered { response, secrets })
    }

    async fn token(
        &self,
        session: SessionId,
        credential: &Credential,
        log_in: &LogIn<'_>,
    ) -> Result<Token, StepFailure> {
        let fresh = login::exchange(self.client, self.access, credential, log_in, self.rules);
        self.tokens.get(self.key(session), fresh).await
    }

    fn key(&self, session: SessionId) -> TokenKey {
        TokenKey {
            session,
            system: self.access.system.name.clone(),
            credential_revision: self.access.credential_revision,
            origin: self.access.system.base_url.origin(),
        }
    }

    async fn dial(
        &self,
        mut request: ToolRequest,
        proof: Option<(String, String)>,
        secrets: &Secrets,
    ) -> Result<ToolResponse, StepFailure> {
        if !self.access.is_at(&request.url) {
            return Err(not_started(changed()));
        }
        // INVARIANT: a credential goes to its system's registered operations alone, also where a
        // redirect points.
        let (method, proves) = (request.method, proof.is_some());
        let goes = |url: &Url| !proves || self.access.lets_credential_go(method, url);
        if !goes(&request.url) {
            return Err(not_started(not_registered()));
        }
        request.headers.extend(proof);
        let sent = self.client.send_within(request, self.rules, goes).await;
        sent.map_err(|error| refusal::failure_of(&error, self.acts, secrets))
    }
}

/// The request has been at the service once.
fn begun(failure: StepFailure) -> StepFailure {
    StepFailure { not_started: false, ..failure }
}

pub(super) fn bearer(token: &str) -> (String, String) {
    (AUTHORIZATION.to_owned(), format!("Bearer {token}"))
}

/// The header of a credential that is sent as it is; a log-in has none.
pub(super) fn header(
    authentication: &Authentication,
    credential: Option<&Credential>,
) -> Result<Option<(String, String)>, StepFailure> {
    let credential = || credential.ok_or_else(missing);
    Ok(match authentication {
        Authentication::None | Authentication::LogIn { .. } => None,
        Authentication::Bearer => Some(bearer(credential()?.secret().expose_secret())),
        Authentication::Basic => {
            let credential = credential()?;
            let name = credential.username().expose_secret();
            let pair = format!("{name}:{}", credential.secret().expose_secret());
            Some((AUTHORIZATION.to_owned(), format!("Basic {}", STANDARD.encode(pair))))
        }
        Authentication::ApiKey { header } => {
            Some((header.clone(), credential()?.secret().expose_secret().to_owned()))
        }
    })
}

pub(super) fn missing() -> StepFailure {
    let message = "the system has no credential: set one";
    failure(FailureCategory::PermissionDenied, "CREDENTIAL_MISSING", message)
}

/// Nothing was sent, no log-in either.
fn not_registered() -> StepFailure {
    let message = "the request is none of the system's registered operations: its credential does \
                   not go there";
    failure(FailureCategory::PermissionDenied, "OPERATION_NOT_REGISTERED", message)
}

/// The plan speaks of another place than the one that is registered now.
pub(super) fn changed() -> StepFailure {
    let message = "the registered system is not the one that the plan was made for: plan it again";
    contract("SYSTEM_CHANGED", message)
}
