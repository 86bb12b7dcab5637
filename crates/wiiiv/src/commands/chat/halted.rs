//! What is halted over a conversation: by whom, when and why, and who may let it go on.

use crate::{
    commands::chat::turn::Turn,
    connection::{flag, items, text, words},
    failure::Failure,
    output::harmless,
    short_id::short,
    texts::{HaltsTexts, fill, named},
};
use serde_json::{Value, json};

/// As replies and refusals call it, in capitals or not.
const HALTED: &str = "HALTED";

/// Whether a halt kept the work of this reply from being done.
pub fn is_told_by(reply: &Value) -> bool {
    let params = reply.get("params").unwrap_or(&Value::Null);
    let codes = [text(params, "failure"), text(params, "code")].into_iter();
    let mut codes = codes.chain(words(params, "codes"));
    codes.any(|code| code.eq_ignore_ascii_case(HALTED))
}

/// Whether the server refused because of one.
pub fn is_refusal(failure: &Failure) -> bool {
    failure.problem().is_some_and(|problem| problem.code == HALTED)
}

/// What is, as the server has it now.
pub async fn now(turn: &Turn<'_>) -> Result<Vec<Value>, Failure> {
    let session = turn.connection.get(&format!("/sessions/{}", turn.session)).await?;
    Ok(items(&session, "halts").to_vec())
}

/// Each halt that is in force, or that there is none any more.
pub fn tell(turn: &Turn<'_>, halts: &[Value]) -> Result<(), Failure> {
    let output = &turn.context.output;
    output.document(&json!({ "event": "halts", "halts": halts }))?;
    let texts = turn.context.texts_in(turn.language.get());
    if halts.is_empty() {
        return output.aside(&texts.halts.over);
    }
    let lines = halts.iter().flat_map(|halt| lines(&texts.halts, halt));
    lines.into_iter().try_for_each(|line| output.aside(&harmless(&line)))
}

fn lines(texts: &HaltsTexts, halt: &Value) -> Vec<String> {
    let scope = text(halt, "scope");
    let by = match text(halt, "by_name") {
        "" => short(text(halt, "by")),
        name => name,
    };
    let values = [
        ("scope", named(&texts.scopes, scope)),
        ("by", by),
        ("at", text(halt, "at")),
        ("reason", text(halt, "reason")),
        ("who", named(&texts.resumers, scope)),
    ];
    let mut told = vec![fill(&texts.told, &values), fill(&texts.resumable, &values)];
    if flag(halt, "may_resume") {
        let command = match scope {
            "session" => format!("wiiiv resume --session {}", text(halt, "session")),
            "project" => format!("wiiiv resume --project {}", text(halt, "project")),
            _ => "wiiiv resume --whole-server".to_owned(),
        };
        told.push(fill(&texts.yours, &[("command", &command)]));
    }
    told
}

#[cfg(test)]
mod tests {
    use super::{is_told_by, lines};
    use crate::texts::Texts;
    use serde_json::{Value, json};
    use wiiiv_domain::Lang;

    #[test]
    fn a_halt_is_known_by_its_code_wherever_a_reply_names_it() {
        for told in
            [json!({"failure": "halted"}), json!({"code": "HALTED"}), json!({"codes": ["HALTED"]})]
        {
            assert!(is_told_by(&json!({"event": "reply", "params": told})), "{told}");
        }
        for other in [json!({"failure": "timeout"}), json!({"code": "UNREACHABLE"}), Value::Null] {
            assert!(!is_told_by(&json!({"params": other})), "{other}");
        }
    }

    #[test]
    fn who_halted_why_and_who_resumes_is_told_in_both_languages() {
        let halt = |scope: &str, may: bool| {
            json!({"scope": scope, "session": "s1", "project": "p1", "by": "u1", "by_name": "ann",
                "at": "2026-01-02", "reason": "smoke", "may_resume": may})
        };
        let told =
            |language, halt: &Value| lines(&Texts::of(language).unwrap().halts, halt).join("\n");
        for (language, scope, who) in [
            (Lang::En, "project", "an owner of the project or an administrator"),
            (Lang::Ko, "server", "관리자"),
        ] {
            let closed = told(language, &halt(scope, false));
            for part in ["ann", "2026-01-02", "smoke", who] {
                assert!(closed.contains(part), "{closed}");
            }
            assert!(!closed.contains("wiiiv resume"), "{closed}");
        }
        let own = told(Lang::Ko, &halt("session", true));
        assert!(own.contains("wiiiv resume --session s1"), "{own}");
        assert!(told(Lang::En, &halt("server", true)).contains("wiiiv resume --whole-server"));
    }
}
