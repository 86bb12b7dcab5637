//! Titles of plans in lists: the request's words, and the plan's effect. A conversation is private:
//! a person who neither asked nor approves sees the effect only.

use crate::{dto::localized::LocalizedText, problem::Problem};
use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};
use wiiiv_domain::{Blueprint, BlueprintId};
use wiiiv_hlx::{headline, neutralise, scope};
use wiiiv_store::{BlueprintRow, Store};

/// Of the request, in Unicode scalar values.
const REQUEST_CHARS_MAX: usize = 120;
/// Plans whose requests are remembered: a list is looked at again and again.
const REMEMBERED_MAX: usize = 4_096;

/// What was asked for, on one line, and how often it was tried again.
type KnownRequest = (Option<String>, usize);

/// What was said before a plan was drawn never changes, so it is looked up once.
#[derive(Debug, Default)]
pub(crate) struct Titles {
    requests: Mutex<HashMap<BlueprintId, KnownRequest>>,
}

impl Titles {
    fn lock(&self) -> MutexGuard<'_, HashMap<BlueprintId, KnownRequest>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// "Save products under 50,000 to cheap.csv · tried again · write"; of a plan without a request, what
    /// the plan says of itself.
    pub(crate) async fn of(
        &self,
        store: &Store,
        plan: &BlueprintRow,
        text: Option<&Blueprint>,
    ) -> Result<LocalizedText, Problem> {
        let (request, times) = self.request(store, plan).await?;
        let again = tried_again(times);
        let Some(request) = request else {
            let own = without_words(plan, text);
            // The type of a task stands alone where nothing is left of its plan: readers translate it.
            let again = if text.is_some() { again } else { tried_again(0) };
            return Ok(LocalizedText { ko: own.ko + &again.ko, en: own.en + &again.en });
        };
        let scope = scope(plan.effect, text.map_or(1, |plan| plan.nodes.len()));
        Ok(LocalizedText {
            ko: format!("{request}{} · {}", again.ko, scope.ko),
            en: format!("{request}{} · {}", again.en, scope.en),
        })
    }

    async fn request(&self, store: &Store, plan: &BlueprintRow) -> Result<KnownRequest, Problem> {
        if let Some(known) = self.lock().get(&plan.id) {
            return Ok(known.clone());
        }
        let behind = store.request_behind(plan).await?;
        let asked = (on_one_line(&behind.texts), behind.again);
        let mut requests = self.lock();
        if requests.len() >= REMEMBERED_MAX {
            requests.clear();
        }
        requests.insert(plan.id, asked.clone());
        Ok(asked)
    }
}

/// What tells a try from those before it, which had the same words.
fn tried_again(times: usize) -> LocalizedText {
    let (ko, en) = match times {
        0 => (String::new(), String::new()),
        1 => (" · 다시 시도".to_owned(), " · tried again".to_owned()),
        times => (format!(" · 다시 시도({times}회)"), format!(" · tried again ({times} times)")),
    };
    LocalizedText { ko, en }
}

/// The plan in one line.
pub(crate) fn without_words(plan: &BlueprintRow, text: Option<&Blueprint>) -> LocalizedText {
    let untold = || LocalizedText::same(&plan.task_type.to_string());
    text.map_or_else(untold, |plan| headline(plan).into())
}

/// What was said first, then what changed it; `None` where nothing is left of either.
fn on_one_line(texts: &[String]) -> Option<String> {
    let lines = texts.iter().map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
    let all = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" / ");
    let cut: String = all.chars().take(REQUEST_CHARS_MAX).collect();
    let dots = if cut.len() < all.len() { "…" } else { "" };
    (!cut.is_empty()).then(|| neutralise(&format!("{cut}{dots}")))
}

#[cfg(test)]
mod tests {
    use super::{REQUEST_CHARS_MAX, on_one_line, tried_again};

    #[test]
    fn a_try_is_told_from_those_before_it() {
        let told = |times| {
            let told = tried_again(times);
            [told.ko, told.en]
        };
        assert_eq!(told(0), ["", ""]);
        assert_eq!(told(1), [" · 다시 시도", " · tried again"]);
        assert_eq!(told(3), [" · 다시 시도(3회)", " · tried again (3 times)"]);
    }

    #[test]
    fn a_request_is_one_line_with_what_changed_it() {
        let said = |texts: &[&str]| {
            on_one_line(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(
            said(&["save it\n to a.csv", "b.csv"]).as_deref(),
            Some("save it to a.csv / b.csv")
        );
        assert_eq!(said(&[]), None);
        assert_eq!(said(&["  "]), None);
        assert_eq!(said(&["a\u{202e}b"]).as_deref(), Some("a⟨U+202E⟩b"));
        let long = said(&[&"가".repeat(REQUEST_CHARS_MAX + 1)]).unwrap();
        assert_eq!(long.chars().count(), REQUEST_CHARS_MAX + 1);
    }
}
