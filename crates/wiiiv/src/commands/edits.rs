//! Edits of waiting plans as people read them: what can be changed, and what was.

use crate::connection::{items, text};
use crate::context::Context;
use crate::failure::Failure;
use crate::output::harmless;
use crate::texts::fill;
use serde_json::Value;

/// Of one value in a line; the preview and the JSON have all of it.
const VALUE_CHARS_SHOWN: usize = 160;
/// As much of a digest as people compare by eye.
const DIGEST_DIGITS: usize = 8;

/// What can be changed, where the caller may.
pub fn values(context: &Context, asked: &Value) -> Result<(), Failure> {
    let (texts, found) = (&context.texts.approvals, items(asked, "values"));
    if found.is_empty() {
        return Ok(());
    }
    context.say(&texts.changeable, &[("id", text(asked, "id"))])?;
    for value in found {
        let shown = shown(text(value, "value"));
        let fields = [
            ("slot", text(value, "slot")),
            ("label", label(context, value)),
            ("value", shown.as_str()),
        ];
        context.output.line(&harmless(&fill(&texts.value, &fields)))?;
    }
    Ok(())
}

/// What was proposed, what was decided, and what takes effect.
pub fn print(context: &Context, told: &Value) -> Result<(), Failure> {
    let texts = &context.texts.approvals;
    for edit in items(told, "edits") {
        let fields = [
            ("name", text(edit, "by_name")),
            ("at", text(edit, "at")),
            ("from", short(text(edit, "from"))),
            ("to", short(text(edit, "to"))),
        ];
        context.output.line(&harmless(&fill(&texts.edited_by, &fields)))?;
        for change in items(edit, "changes") {
            changed(context, change, text(change, "from"), text(change, "to"))?;
        }
        let note = text(edit, "note");
        if !note.is_empty() {
            context.output.line(&harmless(&fill(&texts.edit_note, &[("note", note)])))?;
        }
    }
    Ok(())
}

/// One value before and after.
pub fn changed(context: &Context, of: &Value, from: &str, to: &str) -> Result<(), Failure> {
    let (from, to) = (shown(from), shown(to));
    let fields = [
        ("slot", text(of, "slot")),
        ("label", label(context, of)),
        ("from", from.as_str()),
        ("to", to.as_str()),
    ];
    context.output.line(&harmless(&fill(&context.texts.approvals.changed_value, &fields)))
}

fn label<'a>(context: &Context, of: &'a Value) -> &'a str {
    of.get("label").map(|both| text(both, context.language.as_str())).unwrap_or_default()
}

/// In one line: a value may be a whole file.
fn shown(value: &str) -> String {
    let whole = value.chars().count();
    let cut = value.chars().take(VALUE_CHARS_SHOWN);
    let line: String = cut.map(|c| if c == '\n' { '⏎' } else { c }).collect();
    if whole > VALUE_CHARS_SHOWN { format!("{line}…") } else { line }
}

fn short(digest: &str) -> &str {
    digest.get(..DIGEST_DIGITS).unwrap_or(digest)
}

#[cfg(test)]
mod tests {
    use super::{VALUE_CHARS_SHOWN, shown};

    #[test]
    fn a_long_value_is_told_in_one_line() {
        assert_eq!(shown("a\nb"), "a⏎b");
        assert_eq!(shown(&"가".repeat(999)).chars().count(), VALUE_CHARS_SHOWN + 1);
    }
}
