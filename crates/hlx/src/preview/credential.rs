//! Whether a request carries a credential, as its system is registered when the preview is made.

use super::{Preview, neutralise};
use crate::language::{Lang, Localized};
use serde::Serialize;
use std::collections::BTreeSet;
use wiiiv_domain::{Authentication, Blueprint, StepParams, System, SystemName, UrlTemplate};

/// The executor does what this says, as long as the registration stays as it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewCredential {
    pub kind: CredentialKind,
    pub text: Localized,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CredentialKind {
    /// The system is registered without authentication.
    None,
    /// The stored credential is sent in a header.
    Header,
    /// The stored credential is exchanged for a token before the request.
    LogIn,
    /// The system needs a credential and none is stored: the executor refuses the step.
    Missing,
    /// The registration is gone or names another origin: the executor refuses the step.
    SystemChanged,
}

impl Preview {
    /// `stored`: the systems that have a credential.
    #[must_use]
    pub fn with_credentials(
        mut self,
        blueprint: &Blueprint,
        systems: &[System],
        stored: &BTreeSet<SystemName>,
    ) -> Self {
        for (step, node) in self.steps.iter_mut().zip(&blueprint.nodes) {
            if let (Some(request), StepParams::ApiCall { url, .. }) =
                (&mut step.request, &node.params)
            {
                request.credential = of(url, systems, stored);
            }
        }
        self
    }
}

/// `None`: the request names no system, and so it carries no credential.
fn of(
    url: &UrlTemplate,
    systems: &[System],
    stored: &BTreeSet<SystemName>,
) -> Option<PreviewCredential> {
    let name = url.system.as_ref()?;
    let here = |system: &&System| {
        system.name == *name && system.base_url.is_at(url.scheme, &url.host, url.port)
    };
    let Some(system) = systems.iter().find(here) else {
        return Some(told(CredentialKind::SystemChanged, name, ""));
    };
    if system.authentication.needs_credential() && !stored.contains(name) {
        return Some(told(CredentialKind::Missing, name, ""));
    }
    Some(match &system.authentication {
        Authentication::None => told(CredentialKind::None, name, ""),
        Authentication::Bearer => told(CredentialKind::Header, name, "Authorization: Bearer"),
        Authentication::Basic => told(CredentialKind::Header, name, "Authorization: Basic"),
        Authentication::ApiKey { header } => told(CredentialKind::Header, name, header),
        Authentication::LogIn { path, .. } => told(CredentialKind::LogIn, name, path),
    })
}

/// `by`: the header, or the path of the log-in.
fn told(kind: CredentialKind, name: &SystemName, by: &str) -> PreviewCredential {
    let by = neutralise(by);
    let text = Localized::of(|lang| match lang {
        Lang::Ko => korean(kind, name, &by),
        Lang::En => english(kind, name, &by),
    });
    PreviewCredential { kind, text }
}

fn korean(kind: CredentialKind, name: &SystemName, by: &str) -> String {
    match kind {
        CredentialKind::None => {
            format!("인증 정보 없이 보냅니다. `{name}` 시스템은 인증을 쓰지 않습니다.")
        }
        CredentialKind::Header => format!(
            "서버가 `{name}` 시스템에 저장된 인증 정보를 `{by}` 헤더로 붙입니다. 계획과 기록에는 \
             남지 않습니다."
        ),
        CredentialKind::LogIn => format!(
            "서버가 `{name}` 시스템에 저장된 인증 정보로 `{by}`에 먼저 로그인하고 받은 토큰을 \
             붙입니다. 계획과 기록에는 남지 않습니다."
        ),
        CredentialKind::Missing => format!(
            "`{name}` 시스템은 인증 정보가 필요하지만 저장된 것이 없습니다. 이 요청은 전송되지 \
             않습니다."
        ),
        CredentialKind::SystemChanged => format!(
            "`{name}` 시스템의 등록이 지워졌거나 주소가 바뀌었습니다. 이 요청은 전송되지 않습니다."
        ),
    }
}

fn english(kind: CredentialKind, name: &SystemName, by: &str) -> String {
    match kind {
        CredentialKind::None => {
            format!("No credential is sent: `{name}` is registered without authentication.")
        }
        CredentialKind::Header => format!(
            "The server adds the credential stored for `{name}` as the header `{by}`. The plan and \
             the records never hold it."
        ),
        CredentialKind::LogIn => format!(
            "The server first logs in to `{name}` at `{by}` with the stored credential and adds \
             the token it gets. The plan and the records never hold either."
        ),
        CredentialKind::Missing => format!(
            "`{name}` needs a credential and none is stored: this request will not be sent."
        ),
        CredentialKind::SystemChanged => format!(
            "The registration of `{name}` was removed or has another address now: this request \
             will not be sent."
        ),
    }
}
