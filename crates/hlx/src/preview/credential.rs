//! Whether a request carries a credential, by its system's registration at the time of the preview.

use super::{Preview, neutralise};
use crate::{
    language::{Lang, Localized},
    preview::credential_kind::{CredentialKind, PreviewCredential},
};
use std::collections::BTreeMap;
use wiiiv_domain::{
    Authentication, Blueprint, HttpMethod, RequestTarget, StepParams, System, SystemName,
    SystemStanding, UrlTemplate,
};

impl Preview {
    /// `standings`: of the registrations in `systems`.
    #[must_use]
    pub fn with_credentials(
        mut self,
        blueprint: &Blueprint,
        systems: &[System],
        standings: &BTreeMap<SystemName, SystemStanding>,
    ) -> Self {
        for (step, node) in self.steps.iter_mut().zip(&blueprint.nodes) {
            if let (Some(request), StepParams::ApiCall { method, url, .. }) =
                (&mut step.request, &node.params)
                && let Some((name, revision)) = blueprint.system_of(node)
            {
                let standing = standings.get(&name).filter(|own| own.revision == revision);
                let here = |system: &&System| {
                    system.name == name && system.base_url.is_at(url.scheme, &url.host, url.port)
                };
                request.credential = Some(match systems.iter().find(here).zip(standing) {
                    None => told(CredentialKind::SystemChanged, &name, ""),
                    Some((system, standing)) => of((*method, url), system, *standing),
                });
            }
        }
        self
    }
}

fn of(
    (method, url): (HttpMethod, &UrlTemplate),
    system: &System,
    standing: SystemStanding,
) -> PreviewCredential {
    let name = &system.name;
    let segments = url.written_segments();
    let query: Vec<&str> = url.query.iter().map(|(name, _)| name.as_str()).collect();
    let target = RequestTarget { method, segments: &segments, query: &query };
    let told = |kind, by| told(kind, name, by);
    if system.sends_credential() && !system.lets_credential_go(&target) {
        return told(CredentialKind::NotRegistered, "");
    }
    if system.sends_credential() && !standing.has_credential {
        return told(CredentialKind::Missing, "");
    }
    let sent = match &system.authentication {
        Authentication::None => return told(CredentialKind::None, ""),
        Authentication::Bearer => told(CredentialKind::Header, "Authorization: Bearer"),
        Authentication::Basic => told(CredentialKind::Header, "Authorization: Basic"),
        Authentication::ApiKey { header } => told(CredentialKind::Header, header),
        Authentication::LogIn { path, .. } => told(CredentialKind::LogIn, path),
    };
    if system.operation_at(&target).is_some() { sent } else { to_any_path(sent, name) }
}

fn to_any_path(sent: PreviewCredential, name: &SystemName) -> PreviewCredential {
    let text = Localized::of(|lang| match lang {
        Lang::Ko => format!(
            "{} 이 요청은 등록된 작업이 아닙니다. `{name}` 시스템은 인증 정보를 모든 경로로 보내도록 \
             등록되어 있습니다.",
            sent.text.ko
        ),
        Lang::En => format!(
            "{} This request is no registered operation: `{name}` is registered so that its \
             credential may go to any path.",
            sent.text.en
        ),
    });
    PreviewCredential { any_path: true, text, ..sent }
}

/// `by`: the header, or the path of the log-in.
fn told(kind: CredentialKind, name: &SystemName, by: &str) -> PreviewCredential {
    let by = neutralise(by);
    let text = Localized::of(|lang| match lang {
        Lang::Ko => korean(kind, name, &by),
        Lang::En => english(kind, name, &by),
    });
    PreviewCredential { kind, any_path: false, text }
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
        CredentialKind::NotRegistered => format!(
            "`{name}` 시스템에 등록된 작업이 아니므로 인증 정보를 보내지 않습니다. 이 요청은 전송되지 \
             않습니다."
        ),
        CredentialKind::SystemChanged => format!(
            "계획을 만든 뒤에 `{name}` 시스템의 등록이나 인증 정보가 바뀌었습니다. 이 요청은 전송되지 \
             않습니다. 다시 요청해 주세요."
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
        CredentialKind::NotRegistered => format!(
            "The credential of `{name}` goes to its registered operations alone, and this is none: \
             this request will not be sent."
        ),
        CredentialKind::SystemChanged => format!(
            "The registration or the credential of `{name}` has changed since the plan was made: \
             this request will not be sent. Ask again."
        ),
    }
}
