//! A plan in a few words, for lists.

use crate::connection::text;
use crate::failure::Failure;
use crate::start_error::StartError;
use serde_json::Value;
use wiiiv_domain::{Lang, TaskType};
use wiiiv_messages::Messages;

pub struct PlanNames {
    messages: Messages,
    language: Lang,
}

impl PlanNames {
    pub fn of(language: Lang) -> Result<Self, Failure> {
        let messages = Messages::embedded().map_err(StartError::built_in)?;
        Ok(Self { messages, language })
    }

    /// Its title, else its task and the greatest of its effects.
    pub fn name(&self, row: &Value) -> String {
        let title = row.get("title").map(|both| text(both, self.language.as_str()));
        if let Some(title) = title.filter(|title| !title.is_empty()) {
            return title.to_owned();
        }
        let task = self.task(text(row, "task_type"));
        let effect = effect_word(text(row, "effect"), self.language);
        let parts = [task, effect].into_iter().filter(|part| !part.is_empty());
        parts.collect::<Vec<_>>().join(" · ")
    }

    /// A type of task in words; one that a later server has is told by its code.
    pub fn task<'a>(&'a self, code: &'a str) -> &'a str {
        let known = TaskType::ALL.iter().find(|known| known.as_str() == code);
        known.map_or(code, |known| self.messages.task(self.language, *known))
    }
}

/// One that a later server has is told by its code.
fn effect_word(effect: &str, language: Lang) -> &str {
    match (effect, language) {
        ("READ", Lang::Ko) => "읽기 전용",
        ("WRITE", Lang::Ko) => "쓰기",
        ("DELETE", Lang::Ko) => "삭제",
        ("EXECUTE", Lang::Ko) => "실행",
        ("READ", Lang::En) => "read-only",
        ("WRITE", Lang::En) => "write",
        ("DELETE", Lang::En) => "delete",
        ("EXECUTE", Lang::En) => "execute",
        (code, Lang::Ko | Lang::En) => code,
    }
}

#[cfg(test)]
mod tests {
    use super::PlanNames;
    use serde_json::json;
    use wiiiv_domain::Lang;

    #[test]
    fn a_plan_is_called_by_its_title_or_its_task() {
        let (ko, en) = (PlanNames::of(Lang::Ko).unwrap(), PlanNames::of(Lang::En).unwrap());
        let row = json!({"task_type": "FILE_WRITE", "effect": "WRITE"});
        assert_eq!(ko.name(&row), "파일 쓰기 · 쓰기");
        assert_eq!(en.name(&row), "Write a file · write");
        let row = json!({"task_type": "API_WORKFLOW", "effect": "READ"});
        assert_eq!(ko.name(&row), "API 요청 · 읽기 전용");
        assert_eq!(en.name(&row), "API request · read-only");
        let row = json!({"title": {"ko": "두 단계", "en": "two steps"}, "task_type": "FILE_WRITE"});
        assert_eq!((ko.name(&row), en.name(&row)), ("두 단계".to_owned(), "two steps".to_owned()));
        assert_eq!(en.name(&json!({"task_type": "A_LATER_ONE"})), "A_LATER_ONE");
        assert_eq!((ko.task("WEB_FETCH"), ko.task("X")), ("웹 페이지 읽기", "X"));
    }
}
