//! Advice for a problem whose parameters say more than its code.

use super::ProblemCode;
use serde_json::{Map, Value};

const KIB: u64 = 1024;
const MIB: u64 = 1024 * KIB;
const ROLES: &str = "roles";
/// Of the server: no owner of a project can give it.
const ADMINISTRATOR: &str = "admin";
/// What the caller wanted of a question: `approve`, `reject`, `edit` or `revoke`.
pub(crate) const WANTED: &str = "wanted";

/// Under `of`: what was not found is a change of the caller's own profile, by its number.
pub(super) const PROFILE_CHANGE: &str = "profile_change";

/// Under `only`: nobody does it in the place of whoever asked.
pub(super) const REQUESTER: &str = "requester";

const LOOKS_ONLY: [&str; 2] = [
    "This token may only look: use one that may change things.",
    "보기만 할 수 있는 토큰입니다. 변경할 수 있는 토큰을 쓰세요.",
];
const NONE_WAITS: [&str; 2] = [
    "It may have been answered, or be asked about anew under another number. What waits is under `pending` of \
     `GET /projects/{id}/profile`.",
    "이미 답했거나 다른 번호로 다시 묻는 변경일 수 있습니다. 확인을 기다리는 변경은 \
     `GET /projects/{id}/profile`의 `pending`에 있습니다.",
];
const REQUESTER_ALONE: [&str; 2] = [
    "Values of this plan were changed, so whoever asked for it has to confirm it. No role allows it in their place.",
    "계획의 값이 고쳐졌으므로 요청자가 확인해야 합니다. 어떤 역할로도 대신할 수 없습니다.",
];
const ADMINISTRATORS_ALONE: [&str; 2] = [
    "This is for administrators of the server: ask one of them.",
    "서버 관리자만 할 수 있습니다. 관리자에게 요청하세요.",
];

/// How many of something one person may have, and what to do about it.
const SHARES: [(ProblemCode, &str, &str); 4] = [
    (
        ProblemCode::TooManyWaiting,
        "One person has at most `{limit}` requests that wait. Answer or reject some of them \
         (`wiiiv approvals list --state pending`), then send it again.",
        "한 사람의 승인 요청은 `{limit}`개까지 기다릴 수 있습니다. 일부를 승인하거나 거절한 뒤\
         (`wiiiv approvals list --state pending`) 다시 보내세요.",
    ),
    (
        ProblemCode::TooManyConversations,
        "One person keeps at most `{limit}` conversations. Delete some of them \
         (`wiiiv sessions delete`), then try again.",
        "한 사람은 대화를 `{limit}`개까지 보관할 수 있습니다. 일부를 삭제한 뒤\
         (`wiiiv sessions delete`) 다시 시도하세요.",
    ),
    (
        ProblemCode::TooManyTokens,
        "One person has at most `{limit}` access tokens. End some of them \
         (`wiiiv tokens end TOKEN`), then try again.",
        "한 사람은 액세스 토큰을 `{limit}`개까지 가질 수 있습니다. 일부를 끝낸 뒤\
         (`wiiiv tokens end TOKEN`) 다시 시도하세요.",
    ),
    (
        ProblemCode::TooManyPlans,
        "At most `{limit}` plans are drawn for one person in an hour. Try again after the seconds \
         in `Retry-After`.",
        "한 시간에 한 사람의 계획을 `{limit}`개까지 만듭니다. `Retry-After`의 초가 지난 뒤 다시 \
         시도하세요.",
    ),
];

fn share(code: ProblemCode, params: &Map<String, Value>) -> Option<[String; 2]> {
    let limit = params.get("limit").and_then(Value::as_u64)?.to_string();
    let (_, english, korean) = SHARES.iter().find(|(of, ..)| *of == code)?;
    Some([english, korean].map(|text| text.replace("{limit}", &limit)))
}

impl ProblemCode {
    /// In English and in Korean.
    #[must_use]
    pub fn advice(self, params: &Map<String, Value>) -> [String; 2] {
        if self == Self::ApprovalDecided
            && let Some(told) = decided(params)
        {
            return told;
        }
        if let Some(told) = share(self, params) {
            return told;
        }
        if let Some(told) = memory(self, params) {
            return told;
        }
        if let Some(told) = document(self, params) {
            return told;
        }
        if self == Self::NotFound && params.get("of").is_some_and(|of| of == PROFILE_CHANGE) {
            return NONE_WAITS.map(str::to_owned);
        }
        if self == Self::PromotionRefused {
            return promotion(params);
        }
        let told = if self == Self::Forbidden { forbidden(params) } else { None };
        told.unwrap_or_else(|| [self.english().1.to_owned(), self.korean().1.to_owned()])
    }
}

/// Which right is missing, where that is known: a token's, the requester's own, or a role.
fn forbidden(params: &Map<String, Value>) -> Option<[String; 2]> {
    let is = |name: &str, value: &str| params.get(name).and_then(Value::as_str) == Some(value);
    if is("token", "read") {
        return Some(LOOKS_ONLY.map(str::to_owned));
    }
    if is("only", REQUESTER) {
        return Some(REQUESTER_ALONE.map(str::to_owned));
    }
    let lacking = roles(params);
    let of_project: Vec<&str> =
        lacking.iter().copied().filter(|role| *role != ADMINISTRATOR).collect();
    let named = of_project.join("`, `");
    let [mut english, mut korean] = match of_project.len() {
        0 if lacking.is_empty() => return None,
        0 => return Some(ADMINISTRATORS_ALONE.map(str::to_owned)),
        1 => [
            format!("Ask an owner of the project for this role: `{named}`."),
            format!("프로젝트 소유자에게 다음 역할을 요청하세요: `{named}`."),
        ],
        _ => [
            format!("Ask an owner of the project for one of these roles: `{named}`."),
            format!("프로젝트 소유자에게 다음 역할 가운데 하나를 요청하세요: `{named}`."),
        ],
    };
    if lacking.len() > of_project.len() {
        english.push_str(" An administrator of the server may do it too.");
        korean.push_str(" 서버 관리자도 할 수 있습니다.");
    }
    Some([english, korean])
}

/// Of a memory's text: what is to be taken out of it.
fn memory(code: ProblemCode, params: &Map<String, Value>) -> Option<[String; 2]> {
    let number = |name: &str| params.get(name).and_then(Value::as_u64);
    if code == ProblemCode::MemoryTooLong {
        let (chars, max) = (number("chars")?, number("max")?);
        let over = chars.saturating_sub(max);
        let [(_, english), (_, korean)] = [code.english(), code.korean()];
        return Some([
            format!(
                "It has `{chars}` characters, and `{max}` are kept: take out at least `{over}`. {english}"
            ),
            format!("`{chars}`자입니다. 최대 `{max}`자이니 `{over}`자 이상 줄이세요. {korean}"),
        ]);
    }
    let at = number("at").filter(|_| code == ProblemCode::MemoryControlCharacter)?;
    Some([
        format!("Take out character `{at}`: a memory holds text, tabs and line ends."),
        format!("`{at}`번째 문자를 빼세요. 메모리에는 텍스트, 탭, 줄바꿈만 쓸 수 있습니다."),
    ])
}

/// Of a file that is no document: how large one may be.
fn document(code: ProblemCode, params: &Map<String, Value>) -> Option<[String; 2]> {
    let max = params.get("max").and_then(Value::as_u64);
    let max = max.filter(|_| code == ProblemCode::DocumentTooLarge)?;
    let [(_, english), (_, korean)] = [code.english(), code.korean()];
    Some([
        format!("A file has at most {}. {english}", size(max)),
        format!("파일은 {}까지 올릴 수 있습니다. {korean}", size(max)),
    ])
}

/// As people say it, to the tenth below.
fn size(bytes: u64) -> String {
    let of = |unit: u64, name: &str| {
        let tenths = u128::from(bytes) * 10 / u128::from(unit);
        match (tenths / 10, tenths % 10) {
            (whole, 0) => format!("{whole} {name}"),
            (whole, rest) => format!("{whole}.{rest} {name}"),
        }
    };
    match bytes {
        0..KIB => format!("{bytes} B"),
        KIB..MIB => of(KIB, "KiB"),
        MIB.. => of(MIB, "MiB"),
    }
}

/// What each reason against a promotion asks for.
const PROMOTION: [(&str, &str, &str); 3] = [
    (
        "BOUND_EXCEEDED",
        "Let more requests be reviewed in `observe`, and have wrong denials mended: the upper bound on false \
         denials may be 2 % at most, 0 of 149 or more.",
        "`observe` 단계에서 더 많은 요청이 심의되게 하고, 잘못된 거부의 원인을 고치세요. 잘못된 거부 비율의 상한은 2% \
         이하여야 합니다(149건 이상 중 0건).",
    ),
    (
        "DIVERGENCES_UNREVIEWED",
        "Review each divergence (`wiiiv rollout divergences`).",
        "차이를 모두 검토하세요(`wiiiv rollout divergences`).",
    ),
    (
        "NO_GHOST_RUN",
        "Play the whole GHOST suite with this model and record it \
         (`wiiiv ghost run --mode live --repeat 3 --model ... --server ... --sign ...`); a waiver does not stand in for it.",
        "이 모델로 GHOST 시나리오 전체를 실행해 기록하세요(`wiiiv ghost run --mode live --repeat 3 --model ... --server ... --sign ...`). \
         면제로 대신할 수 없습니다.",
    ),
];

fn promotion(params: &Map<String, Value>) -> [String; 2] {
    let named = params.get("reasons").and_then(Value::as_array);
    let named: Vec<&str> = named.into_iter().flatten().filter_map(Value::as_str).collect();
    let told = PROMOTION.iter().filter(|(code, ..)| named.contains(code));
    let (english, korean): (Vec<&str>, Vec<&str>) = told.map(|(_, en, ko)| (*en, *ko)).unzip();
    [english.join(" "), korean.join(" ")]
}

/// Who answered, and when; whoever wanted the opposite is told what comes of that. `None` where the question was closed by
/// nobody.
fn decided(params: &Map<String, Value>) -> Option<[String; 2]> {
    let word = |name: &str| params.get(name).and_then(Value::as_str);
    let (state, at) = (word("state")?, word("decided_at")?);
    let name = word("decided_by_name")?;
    if state == "edited" {
        return Some([
            format!("`{name}` changed its plan at {at}. The changed plan is asked about anew."),
            format!("`{name}`님이 {at}에 계획을 고쳤습니다. 고친 계획을 다시 묻습니다."),
        ]);
    }
    let (english, korean) = match state {
        "rejected" => ("rejected", "거절"),
        "approved" | "consumed" => ("approved", "승인"),
        _ => return None,
    };
    match (english, word(WANTED)) {
        ("approved", Some("reject" | "edit" | "revoke")) => {
            return Some([
                format!(
                    "`{name}` approved it at {at}, before your answer, so it goes ahead as it is. \
                     While it runs, whoever asked for it can cancel it, and whoever approved it can \
                     take that back."
                ),
                format!(
                    "`{name}`님이 {at}에 먼저 승인하여 그대로 진행됩니다. 실행 중에는 요청한 사람이 실행을 \
                     취소하거나 승인한 사람이 승인을 취소할 수 있습니다."
                ),
            ]);
        }
        ("rejected", Some("approve" | "edit")) => {
            return Some([
                format!(
                    "`{name}` rejected it at {at}, before your answer, so it is not done. Whoever \
                     needs it asks for it again."
                ),
                format!(
                    "`{name}`님이 {at}에 먼저 거절하여 실행하지 않습니다. 필요하면 다시 요청하면 됩니다."
                ),
            ]);
        }
        _ => {}
    }
    Some([
        format!("`{name}` {english} it at {at}. Nothing more is needed."),
        format!("`{name}`님이 {at}에 {korean}했습니다. 더 할 일은 없습니다."),
    ])
}

fn roles(params: &Map<String, Value>) -> Vec<&str> {
    let named = params.get(ROLES).and_then(Value::as_array);
    named.into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;

    #[test]
    fn a_size_is_said_as_people_say_it() {
        for (bytes, due) in [
            (20, "20 B"),
            (1_024, "1 KiB"),
            (1_048_575, "1023.9 KiB"),
            (20_971_520, "20 MiB"),
            (20_971_520 + 524_288, "20.5 MiB"),
        ] {
            assert_eq!(size(bytes), due);
        }
        let code = ProblemCode::DocumentTooLarge;
        let problem = Problem::new(code).with("max", 20_971_520_u64);
        let [english, korean] = code.advice(problem.params());
        assert!(english.starts_with("A file has at most 20 MiB. "), "{english}");
        assert!(korean.starts_with("파일은 20 MiB까지 올릴 수 있습니다. "), "{korean}");
    }

    #[test]
    fn who_can_give_a_role_is_asked_for_it() {
        for (roles, english, korean) in [
            (&["admin"][..], "administrators of the server", "서버 관리자"),
            (&["owner"], "an owner of the project for this role: `owner`.", "`owner`"),
            (&["owner", "approver"], "roles: `owner`, `approver`.", "`owner`, `approver`"),
            (&["admin", "owner"], "role: `owner`. An administrator of the server", "서버 관리자도"),
            (&[], "a token that may change things", "토큰"),
        ] {
            let mut problem = Problem::new(ProblemCode::Forbidden);
            if !roles.is_empty() {
                problem = problem.with(ROLES, roles.to_vec());
            }
            let [told, told_korean] = problem.code().advice(problem.params());
            assert!(told.contains(english) && told_korean.contains(korean), "{told} {told_korean}");
        }
        for (name, value, english, korean) in [
            ("token", "read", "This token may only look", "보기만 할 수 있는 토큰"),
            ("only", REQUESTER, "No role allows it in their place", "어떤 역할로도"),
        ] {
            // A role beside it would not help.
            let problem = Problem::new(ProblemCode::Forbidden).with(name, value);
            let problem = problem.with(ROLES, vec!["owner"]);
            let [told, told_korean] = problem.code().advice(problem.params());
            assert!(told.contains(english) && told_korean.contains(korean), "{told} {told_korean}");
        }
        let decided = Problem::new(ProblemCode::ApprovalDecided).with("state", "consumed");
        let plain = decided.code().advice(decided.params());
        assert_eq!(plain[0], ProblemCode::ApprovalDecided.english().1);
        let decided = decided.with("decided_by_name", "kim").with("decided_at", "2026-01-01");
        let [english, korean] = decided.code().advice(decided.params());
        assert_eq!(english, "`kim` approved it at 2026-01-01. Nothing more is needed.");
        assert_eq!(korean, "`kim`님이 2026-01-01에 승인했습니다. 더 할 일은 없습니다.");
        for (wanted, done, nothing) in
            [("approve", "approved", true), ("reject", "cancel it", false)]
        {
            let told = decided.clone().with(WANTED, wanted);
            let [english, _] = told.code().advice(told.params());
            assert!(english.contains(done), "{english}");
            assert_eq!(english.contains("Nothing more"), nothing, "{wanted}: {english}");
        }
        let other = Problem::new(ProblemCode::QueueFull).with(ROLES, vec![ADMINISTRATOR]);
        assert_eq!(other.code().advice(other.params())[0], ProblemCode::QueueFull.english().1);
    }
}
