//! Reasons in Korean. A reason is one English sentence with its values in backticks; the table has
//! it with gaps. A reason without an entry stays in English.

/// What stands in front of the reason proper: `operation `id`: its id is used twice`.
const FRONTS: &[(&str, &str)] = &[
    ("operation ``", "작업 `{}`"),
    ("at ``", "`{}`"),
    ("base address", "기본 주소"),
    ("authentication", "인증"),
    ("``", "`{}`"),
];

/// English with its holes, Korean with the same in the same order.
const REASONS: &[(&str, &str)] = &[
    ("1 to `` characters on one line", "한 줄로 1자 이상 `{}`자 이하여야 합니다."),
    ("`` to `` characters", "`{}`자 이상 `{}`자 이하여야 합니다."),
    ("1 to `` characters", "1자 이상 `{}`자 이하여야 합니다."),
    ("`` to `` seconds", "`{}`초 이상 `{}`초 이하여야 합니다."),
    ("an override lasts `` seconds to `` hours", "`{}`초 이상 `{}`시간 이하여야 합니다."),
    ("1 to ``", "1 이상 `{}` 이하여야 합니다."),
    ("over the limit of ``", "한도를 넘습니다: `{}`."),
    ("unknown field", "모르는 항목입니다."),
    ("missing", "빠져 있습니다."),
    ("given twice", "두 번 쓰였습니다."),
    (
        "`` is no value of this plan that can be changed: choose from ``",
        "고칠 수 있는 값이 아닙니다: `{}`. 다음 가운데서 고르세요: `{}`.",
    ),
    (
        "nothing is changed: the values are those of the plan",
        "바뀐 것이 없습니다. 계획의 값과 같습니다.",
    ),
    ("no plan can be made with it: ``", "이 값으로는 계획을 만들 수 없습니다: `{}`."),
    (
        "it would be another plan, as step `` would do something else: only values can be changed",
        "다른 계획이 됩니다. 하는 일이 달라지는 단계: `{}`. 값만 고칠 수 있습니다.",
    ),
    (
        "after this change too few people are left who could approve the plan: reject it with a note instead",
        "이렇게 고치면 계획을 승인할 수 있는 사람이 모자랍니다. 고치지 말고 메모를 적어 거절하세요.",
    ),
    (
        "a value is not empty: change it, or reject the request",
        "값은 비울 수 없습니다. 다른 값으로 고치거나 요청을 거절하세요.",
    ),
    ("these are no values of this plan", "이 계획의 값이 아닙니다."),
    ("not valid", "올바르지 않습니다."),
    ("the body broke off", "본문이 중간에 끊겼습니다."),
    ("nested deeper than ``", "`{}`단계보다 깊게 중첩되었습니다."),
    ("goes with `` alone", "`{}`에만 쓸 수 있습니다."),
    ("expected 64 hexadecimal digits", "16진수 64자리여야 합니다."),
    ("the address names ``", "주소에 쓰인 이름은 `{}`입니다."),
    ("this server knows ``", "이 서버가 아는 버전은 `{}`입니다."),
    ("give `` or ``, not both", "`{}`와 `{}` 중 하나만 보내세요."),
    (
        "the plan is risky: people are asked about such a plan each time",
        "위험한 계획입니다. 이런 계획은 매번 승인을 요청합니다.",
    ),
    (
        "people are asked about plans of this kind each time",
        "이런 종류의 작업은 매번 승인을 요청합니다.",
    ),
    (
        "the review did not end in YES: people are asked about such a plan each time",
        "심의 결과가 YES가 아닙니다. 이런 계획은 매번 승인을 요청합니다.",
    ),
    (
        "a value that the requester did not write decides where it goes",
        "요청자가 쓰지 않은 값이 대상을 정합니다.",
    ),
    (
        "the policy asks several people: a yes beforehand is one person's",
        "정책이 여러 사람의 승인을 요구합니다. 사전 승인은 한 사람의 승인입니다.",
    ),
    (
        "the text of the plan was erased: nobody can look at what would be approved",
        "계획의 내용이 삭제되어 무엇을 승인하는지 볼 수 없습니다.",
    ),
    ("the plan has no such step", "계획에 없는 단계입니다."),
    ("write 1 to `` characters", "1자 이상 `{}`자 이하로 쓰세요."),
    (
        "a file's name is 1 to `` bytes on one line, without `` and ``",
        "파일 이름은 한 줄로 1바이트 이상 `{}`바이트 이하여야 하고, `{}`, `{}` 문자는 쓸 수 없습니다.",
    ),
    (
        "a title is 1 to `` characters on one line",
        "제목은 한 줄로 1자 이상 `{}`자 이하여야 합니다.",
    ),
    (
        "a name of a profile is 1 to `` of `` to ``, `` to `` and ``, and begins with a letter",
        "프로필의 이름은 `{}`자 이하이고 `{}`~`{}`, `{}`~`{}`, `{}`만 쓰며 영문 소문자로 시작합니다.",
    ),
    ("the profile has no slot ``", "프로필에 없는 항목입니다: `{}`."),
    (
        "a value is empty: to take values away, remove or clear",
        "값이 비어 있습니다. 값을 없애려면 삭제하거나 비우세요.",
    ),
    (
        "the value has `` characters, and this slot takes at most ``",
        "값은 `{}`자인데 이 항목은 `{}`자까지 받습니다.",
    ),
    (
        "a value is one line without control characters",
        "값은 한 줄이어야 하고 제어 문자를 쓸 수 없습니다.",
    ),
    ("this slot takes a number, such as `` or ``", "숫자만 쓸 수 있습니다(예: `{}`, `{}`)."),
    ("this slot takes numbers from `` to ``", "쓸 수 있는 수의 범위를 벗어났습니다: `{}` ~ `{}`."),
    ("this slot takes no day after today", "오늘보다 뒤의 날짜는 쓸 수 없습니다."),
    ("a day is written ``", "날짜는 `{}`처럼 쓰세요."),
    (
        "a day goes with a slot of the policy ``, `` or ``",
        "날짜는 `{}`, `{}`, `{}` 방식의 항목에만 쓸 수 있습니다.",
    ),
    ("only a slot of the policy `` has an end", "종료일은 `{}` 방식의 항목에만 쓸 수 있습니다."),
    ("the end is before the beginning", "종료일이 시작일보다 앞섭니다."),
    ("the slot has no such value", "항목에 없는 값입니다."),
    (
        "the slot has `` values, which is as many as it takes: remove one first",
        "이 항목에는 값을 `{}`개까지 둘 수 있습니다. 먼저 하나를 삭제하세요.",
    ),
    (
        "at most `` changes at once, and as many that wait",
        "한 번에 `{}`개까지 바꿀 수 있고, 확인을 기다리는 변경도 그만큼까지입니다.",
    ),
    ("nothing is to be changed", "바꿀 것이 없습니다."),
    (
        "it begins now or later, and before its end",
        "지금이나 나중에 시작하고, 끝나기 전에 시작해야 합니다.",
    ),
    (
        "the plan does not write out exactly where this step goes, or whom its body is for",
        "이 단계가 향하는 곳이나 본문의 수신자가 계획에 그대로 쓰여 있지 않습니다.",
    ),
    ("a step of the plan, by its name", "계획에 있는 단계의 이름이어야 합니다."),
    (
        "that person may not ask for work in this project",
        "이 프로젝트에서 작업을 요청할 수 없는 사람입니다.",
    ),
    (
        "nobody stands in for themselves: name another member of the project",
        "자신을 대신할 수는 없습니다. 프로젝트의 다른 구성원을 고르세요.",
    ),
    (
        "that person is no member of this project, or their account is closed",
        "이 프로젝트의 구성원이 아니거나 닫힌 계정입니다.",
    ),
    (
        "a delegation begins now or later, and ends after that and within `` days",
        "위임은 지금이나 나중에 시작하고, 그 뒤 `{}`일 안에 끝나야 합니다.",
    ),
    ("expected a time such as ``", "`{}` 같은 시각이어야 합니다."),
    ("a project's name is 1 to `` characters", "프로젝트 이름은 1자 이상 `{}`자 이하여야 합니다."),
    (
        "a name is 1 to `` letters, digits, ``, ``, `` or ``, without spaces",
        "이름은 공백 없이 글자, 숫자, `.`, `-`, `_`, `@`로 1자 이상 `{}`자 이하여야 합니다.",
    ),
    (
        "a password is at least `` characters and at most `` bytes",
        "비밀번호는 `{}`자 이상, `{}`바이트 이하여야 합니다.",
    ),
    (
        "the new password is the old one: choose another",
        "새 비밀번호가 지금 비밀번호와 같습니다. 다른 것을 고르세요.",
    ),
    (
        "a project keeps at most `` systems: remove one first",
        "한 프로젝트에는 시스템을 `{}`개까지 둘 수 있습니다. 먼저 하나를 지우세요.",
    ),
    (
        "the name or alias `` is already a word for the system ``",
        "이름 또는 별칭 `{}` 값은 이미 다른 시스템의 것입니다: `{}`.",
    ),
    (
        "this system is registered without authentication",
        "이 시스템은 인증 없이 등록되어 있습니다.",
    ),
    ("this kind of authentication needs a user name", "이 인증 방식에는 사용자 이름이 필요합니다."),
    (
        "this kind of authentication has no user name: leave it out",
        "이 인증 방식에는 사용자 이름이 없습니다. 비워 두세요.",
    ),
    (
        "a credential's secret has fewer than `` bytes: give a longer one",
        "인증 정보가 `{}`바이트보다 짧습니다. 더 긴 것을 쓰세요.",
    ),
    (
        "a user name or secret is at most `` bytes, without NUL, CR or LF",
        "사용자 이름과 인증 정보는 줄바꿈과 NUL 없이 `{}`바이트 이하여야 합니다.",
    ),
    ("the opened value is no credential", "저장된 값이 인증 정보가 아닙니다."),
    (
        "a system's name is 1 to 32 of ``, ``, `` and ``, a letter first: `` is none",
        "시스템 이름은 글자로 시작하고 `{}`, `{}`, `{}`, `{}`로 1~32자여야 합니다. `{}` 값은 쓸 수 없습니다.",
    ),
    (
        "`` holds `` entries, at most `` are kept",
        "`{}` 값이 `{}`개입니다. `{}`개까지 둘 수 있습니다.",
    ),
    (
        "`` is 1 to `` characters without control characters",
        "`{}` 값은 제어 문자 없이 1자 이상 `{}`자 이하여야 합니다.",
    ),
    ("the alias or name `` is used twice", "별칭 또는 이름이 두 번 쓰였습니다: `{}`."),
    ("its id is used twice", "ID가 두 번 쓰였습니다."),
    ("an id is 1 to 64 of ``", "ID는 `{}` 가운데 1~64자여야 합니다."),
    (
        "a parameter in braces is a whole segment of the path",
        "중괄호 매개변수는 경로의 한 마디 전체여야 합니다.",
    ),
    (
        "a path parameter stands in braces in the path",
        "경로 매개변수는 경로에 중괄호로 적혀 있어야 합니다.",
    ),
    ("a DELETE never reads", "DELETE는 읽기가 될 수 없습니다."),
    ("a GET or HEAD takes no body", "GET과 HEAD에는 본문이 없습니다."),
    ("the schema of its body is longer than 16 KiB", "본문의 스키마가 16KiB보다 깁니다."),
    ("its body's `` leads nowhere", "본문의 `{}` 값이 가리키는 곳이 없습니다."),
    ("the schema of its body is no JSON Schema", "본문의 스키마가 JSON Schema가 아닙니다."),
    ("words or a form, not both", "메시지와 양식 중 하나만 보내세요."),
    (
        "a path begins with ``, holds no ``, `` or ``, and is at most 1024 bytes",
        "경로는 `{}`로 시작하고 `{}`, `{}`, `{}` 없이 1024바이트 이하여야 합니다.",
    ),
    ("a path holds no `` or ``", "경로에는 `{}`이나 `{}`을 쓸 수 없습니다."),
    ("its path has too many segments", "경로의 마디가 너무 많습니다."),
    (
        "its segments are neither empty, `` nor ``, and hold no ``, `` or brace",
        "경로의 마디는 비었거나 `{}`, `{}`일 수 없고, `{}`, `{}`나 중괄호를 쓸 수 없습니다.",
    ),
    (
        "a host is a name or an address in lower case, one of IPv6 in brackets",
        "호스트는 소문자 이름이나 주소여야 하고, IPv6 주소는 대괄호로 묶어야 합니다.",
    ),
    (
        "a header's name is letters, digits, `` and ``",
        "헤더 이름은 글자, 숫자, `{}`, `{}`로 이루어집니다.",
    ),
    (
        "that header is the client's own: name another",
        "클라이언트가 쓰는 헤더입니다. 다른 이름을 쓰세요.",
    ),
    ("the log-in's path has no parameters", "로그인 경로에는 매개변수를 쓸 수 없습니다."),
    (
        "both fields of the log-in have names of up to 64 characters",
        "로그인의 두 항목 이름은 1~64자여야 합니다.",
    ),
    ("a JSON pointer begins with ``", "JSON 포인터는 `{}`로 시작합니다."),
    ("not a URL, such as ``", "`{}` 같은 URL이 아닙니다."),
    ("the scheme is `` or ``", "`{}` 또는 `{}`여야 합니다."),
    (
        "a credential is set apart, never in the address",
        "인증 정보는 주소에 쓰지 않고 따로 저장합니다.",
    ),
    (
        "a base address has no query and no fragment",
        "기본 주소에는 쿼리(?)와 조각(#)을 쓸 수 없습니다.",
    ),
    ("its path is not UTF-8", "경로가 UTF-8이 아닙니다."),
    ("not a host", "호스트가 아닙니다."),
    ("a host does not end in a dot", "호스트는 점으로 끝나지 않습니다."),
    ("a port is `` to ``", "포트는 `{}`~`{}`입니다."),
    (
        "not an OpenAPI 3 document: `` is a text such as ``",
        "OpenAPI 3 문서가 아닙니다. `{}`은 `{}` 같은 텍스트여야 합니다.",
    ),
    ("the document has no ``", "문서에 `{}`가 없습니다."),
    (
        "the document has more than `` operations: leave out what plans need not",
        "문서의 작업이 `{}`개를 넘습니다. 계획에 필요 없는 것은 빼세요.",
    ),
    ("a path item is an object", "경로 항목은 객체여야 합니다."),
    (
        "a path item elsewhere (``) is not read: write it here",
        "다른 곳을 가리키는 경로 항목(`{}`)은 읽지 않습니다. 여기에 적으세요.",
    ),
    ("an operation is an object", "작업은 객체여야 합니다."),
    ("`` is an array of texts", "`{}` 값은 텍스트의 배열이어야 합니다."),
    ("`` and `` are true or false", "`{}`와 `{}`는 true 또는 false입니다."),
    ("`` is an array", "`{}` 값은 배열이어야 합니다."),
    ("a parameter has a ``", "매개변수에는 `{}`이 있어야 합니다."),
    (
        "it needs a header or cookie, which a plan cannot give",
        "계획이 줄 수 없는 헤더나 쿠키가 필요합니다.",
    ),
    (
        "a parameter is `` ``, ``, `` or ``",
        "매개변수의 `{}`은 `{}`, `{}`, `{}`, `{}` 가운데 하나입니다.",
    ),
    (
        "a parameter's `` leads to one in this document",
        "매개변수의 `{}`는 이 문서 안을 가리켜야 합니다.",
    ),
    ("a CUSTOM provider needs ``, such as ``", "CUSTOM 모델에는 `{}`이 필요합니다. 예: `{}`"),
    (
        "the origin `` is not approved: the server's operator can approve it",
        "승인되지 않은 주소 `{}`입니다. 서버 운영자가 승인할 수 있습니다.",
    ),
    (
        "the origin is not a URL: write it as `` or ``",
        "주소가 URL이 아닙니다. `{}` 또는 `{}`처럼 쓰세요.",
    ),
    (
        "the origin has a path, query or fragment: write it as ``",
        "경로나 쿼리 없이 `{}`처럼 주소만 쓰세요.",
    ),
    (
        "`` names no one host: write out the one that is meant",
        "`{}` 주소는 호스트 하나를 가리키지 않습니다. 쓰려는 호스트를 그대로 적으세요.",
    ),
    (
        "over plain http everybody on the way reads the key and the prompts: write ``. Plain http is \
         for loopback, private and link-local addresses, for names without a dot, and for names \
         under ``, ``, ``, `` and ``",
        "암호화되지 않은 http로는 도중에 누구나 키와 대화를 읽을 수 있습니다. `{}`로 쓰세요. http는 루프백·사설·링크 로컬 주소, \
         점이 없는 이름, `{}`, `{}`, `{}`, `{}`, `{}`로 끝나는 이름에만 쓸 수 있습니다.",
    ),
    (
        "``: `` is not a path inside the workspace",
        "`{}`: `{}` 값은 작업 공간 안의 경로가 아닙니다.",
    ),
    (
        "``: `` is not a lower case host name, an address or ``",
        "`{}`: `{}` 값은 소문자 호스트 이름, 주소, `{}` 가운데 어느 것도 아닙니다.",
    ),
    (
        "``: `` is not written as ``, in literal segments",
        "`{}`: `{}` 값이 `{}` 꼴로 적혀 있지 않습니다.",
    ),
    ("`` has more than `` lines", "`{}` 값이 `{}`줄을 넘습니다."),
    ("`` must be 1 to ``", "`{}` 값은 1 이상 `{}` 이하여야 합니다."),
    ("`` is greater than ``", "`{}` 값이 `{}`보다 큽니다."),
    (
        "the next master key is the one in use: make another with ``",
        "다음 마스터 키가 지금 쓰는 키와 같습니다. `{}`로 새로 만드세요.",
    ),
    (
        "the next master key was rotated away from before, as version ``: make another with ``",
        "다음 마스터 키는 버전 `{}` 때 쓰다가 바꾼 키입니다. `{}`로 새로 만드세요.",
    ),
    ("`` CUSTOM needs ``", "`{}`가 CUSTOM이면 `{}`이 필요합니다."),
    ("a day of the calendar is written like ``", "달력에 있는 날짜를 `{}`처럼 쓰세요."),
    ("the first day is after the last one", "첫날이 마지막 날보다 뒤입니다."),
    ("at most `` days at once", "한 번에 `{}`일까지 볼 수 있습니다."),
    (
        "it is ``, ``, ``, or several of them with commas between",
        "`{}`, `{}`, `{}` 가운데 하나이거나, 여럿을 쉼표로 이어 씁니다.",
    ),
];

/// `None` of a reason that has no line here.
pub(super) fn korean(reason: &str) -> Option<String> {
    if let Some(told) = known(reason, REASONS) {
        return Some(told);
    }
    let (front, rest) = reason.split_once(": ")?;
    Some(format!("{}: {}", known(front, FRONTS)?, known(rest, REASONS)?))
}

fn known(text: &str, lines: &[(&str, &str)]) -> Option<String> {
    let (with_holes, held) = holes(text);
    let (_, korean) = lines.iter().find(|(english, _)| *english == with_holes)?;
    // What is held may look like a hole itself: `POST /carts/{}/items`.
    let mut parts = korean.split("{}");
    let mut told = parts.next().unwrap_or_default().to_owned();
    for (part, value) in parts.zip(held) {
        told.push_str(value);
        told.push_str(part);
    }
    Some(told)
}

/// The text with its quoted parts taken out, and those.
fn holes(text: &str) -> (String, Vec<&str>) {
    let (mut plain, mut held) = (String::new(), Vec::new());
    for (at, part) in text.split('`').enumerate() {
        if at % 2 == 0 {
            plain.push_str(part);
        } else {
            plain.push_str("``");
            held.push(part);
        }
    }
    (plain, held)
}

#[cfg(test)]
mod tests {
    use super::{FRONTS, REASONS, holes, korean};
    use wiiiv_domain::{ProfileFault, SystemError};
    use wiiiv_gate::NotGrantable;
    use wiiiv_governor::{EditRefused, GrantError};
    use wiiiv_net::Origin;
    use wiiiv_store::{AccountError, ProjectError, SystemRefused};
    use wiiiv_vault::CredentialError;

    /// Whatever those crates refuse with a sentence of their own.
    const ROOMS: [&str; 6] = [
        include_str!("../../../domain/src/label.rs"),
        include_str!("../../../domain/src/system.rs"),
        include_str!("../registration/import.rs"),
        include_str!("../registration/import/body.rs"),
        include_str!("../registration/address.rs"),
        include_str!("../../../store/src/system/credential.rs"),
    ];
    const BEFORE: [&str; 8] =
        ["odd(", "Err(", "fault(", "BaseUrl(", "at(", "Unfit(", "free, ", "both, "];

    fn sentences(source: &str) -> Vec<String> {
        let told = source.split("#[cfg(test)]").next().unwrap_or_default();
        let mut found = Vec::new();
        for (at, _) in told.match_indices('"') {
            let before = told[..at].trim_end();
            let text: String = told[at + 1..].chars().take_while(|c| *c != '"').collect();
            let begins = BEFORE.iter().any(|end| before.ends_with(end.trim_end()));
            if begins && text.contains(' ') {
                found.push(text.replace("\\\\", "\\"));
            }
        }
        found
    }

    #[test]
    fn every_reason_of_a_registration_is_told_in_korean() {
        let all: Vec<String> = ROOMS.iter().flat_map(|source| sentences(source)).collect();
        assert!(all.len() > 20, "the sources are read: {all:?}");
        for sentence in all {
            assert!(korean(&sentence).is_some(), "no Korean for `{sentence}`");
        }
    }

    #[test]
    fn errors_of_other_crates_are_told_in_korean() {
        let name = wiiiv_domain::SystemName::parse("shop").expect("a name");
        let word = "가게".to_owned();
        let told = [
            EditRefused::Unchanged.to_string(),
            EditRefused::NobodyLeft.to_string(),
            GrantError::Erased.to_string(),
            NotGrantable::Beginning.to_string(),
            AccountError::Name.to_string(),
            AccountError::Password.to_string(),
            ProjectError::Name.to_string(),
            CredentialError::Short.to_string(),
            CredentialError::Unfit.to_string(),
            SystemRefused::TooMany.to_string(),
            SystemRefused::WordTaken { word, by: name }.to_string(),
            ProfileFault::OutOfRange { min: 0, max: 150 }.to_string(),
            ProfileFault::TooLate.to_string(),
            SystemError::Name("A".to_owned()).to_string(),
            SystemError::TooMany { field: "aliases", found: 9, max: 8 }.to_string(),
            SystemError::Label { field: "aliases" }.to_string(),
            SystemError::Twice("a".to_owned()).to_string(),
            SystemError::BaseUrl("its path has too many segments").to_string(),
            SystemError::Authentication("a JSON pointer begins with `/`").to_string(),
        ];
        for sentence in told {
            assert!(korean(&sentence).is_some(), "no Korean for `{sentence}`");
        }
    }

    #[test]
    fn what_is_wrong_with_an_origin_is_told_in_korean() {
        for text in ["gateway", "https://a.test/v1", "https://*.a.test", "http://a.test"] {
            let refused = Origin::of_models(text).unwrap_err();
            let told = korean(&format!("`origin`: {refused}"));
            assert!(told.is_some_and(|told| told.starts_with("`origin`: ")), "{refused}");
        }
    }

    #[test]
    fn what_it_speaks_of_keeps_its_place() {
        assert_eq!(
            korean("operation `list`: its id is used twice").as_deref(),
            Some("작업 `list`: ID가 두 번 쓰였습니다.")
        );
        let line = "`idempotentOperations`: `POST /{}/b c` is not written as `POST /path/{}/more`, in \
                    literal segments";
        assert_eq!(
            korean(line).as_deref(),
            Some(
                "`idempotentOperations`: `POST /{}/b c` 값이 `POST /path/{}/more` 꼴로 적혀 있지 않습니다."
            )
        );
        assert_eq!(korean("something else"), None);
        for (english, told) in REASONS.iter().chain(FRONTS) {
            let (plain, _) = holes(english);
            assert_eq!(plain, *english);
            let filled = told.matches("{}").count();
            assert!(filled <= english.matches("``").count(), "{told}");
        }
    }
}
