//! The preview as plain text for a chat: the effect of each step, within bounds.

use super::{DiffLine, FileChange, LineChange, Preview, PreviewRequest, PreviewStep, PreviewValue};
use crate::language::Lang;
use wiiiv_domain::StepType;

/// Lines of one step.
pub const TEXT_LINES_MAX: usize = 40;
/// Characters of one line.
pub const TEXT_LINE_CHARS_MAX: usize = 300;
/// Characters of a whole preview.
const TEXT_CHARS_MAX: usize = 32 * 1024;

impl Preview {
    /// Every effect on a file and every request; steps that only read or compute are left to
    /// their sentences. What is cut off is counted.
    #[must_use]
    pub fn to_text(&self, lang: Lang) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let shown = step_lines(step, lang).join("\n");
            if shown.is_empty() {
                continue;
            }
            if text.chars().count() + shown.chars().count() > TEXT_CHARS_MAX {
                text.push_str(&left_out_steps(step.number, lang));
                break;
            }
            text.push_str(&shown);
            text.push('\n');
        }
        // One line for a value, however many people have written parts of it.
        for edit in self.edits.chunk_by(|one, next| one.slot == next.slot).flat_map(<[_]>::first) {
            text.push_str(&cut(&edit.line(lang), lang));
            text.push('\n');
        }
        text
    }
}

fn step_lines(step: &PreviewStep, lang: Lang) -> Vec<String> {
    let mut lines = effect_lines(step, lang);
    if lines.is_empty() && !step.marks.is_empty() {
        let path = step.path.as_deref().unwrap_or_default();
        lines.push(cut(format!("[{}] {path}", step.number).trim_end(), lang));
    }
    lines.extend(step.marks.iter().map(|mark| cut(&mark.line(lang), lang)));
    lines
}

fn effect_lines(step: &PreviewStep, lang: Lang) -> Vec<String> {
    match step.step_type {
        StepType::FileWrite | StepType::FileDelete => file_lines(step, lang),
        StepType::ApiCall | StepType::WebFetch => {
            let request = step.request.as_ref();
            request.map(|request| request_lines(step, request, lang)).unwrap_or_default()
        }
        StepType::FileRead | StepType::Transform => Vec::new(),
    }
}

fn file_lines(step: &PreviewStep, lang: Lang) -> Vec<String> {
    let path = step.path.as_deref().unwrap_or_default();
    let Some(change) = &step.change else {
        let what = in_lang(lang, "쓰이는 내용", "what is written");
        return headed(step, path, &what, value_of(step, lang), lang);
    };
    let (what, shown) = match change {
        FileChange::Created { lines, lines_left_out } => {
            (in_lang(lang, "새 파일", "a new file"), diff_lines(lines, *lines_left_out, lang))
        }
        FileChange::Changed { lines, lines_left_out } => {
            let what = in_lang(lang, "바뀌는 파일", "a changed file");
            (what, diff_lines(lines, *lines_left_out, lang))
        }
        FileChange::Deleted { lines, lines_left_out } => {
            let what = in_lang(lang, "삭제되는 파일", "a deleted file");
            (what, diff_lines(lines, *lines_left_out, lang))
        }
        FileChange::Nothing => (in_lang(lang, "바뀌는 것 없음", "nothing changes"), Vec::new()),
        FileChange::Replaced { old_bytes, new_bytes } => {
            let [old, new] = [old_bytes, new_bytes].map(|bytes| size(*bytes, lang));
            let ko = format!("전체가 바뀌는 파일 ({old} → {new}), 지금 내용은 보이지 않음");
            let en = format!("a file replaced whole ({old} → {new}), its content is not shown");
            (in_lang(lang, &ko, &en), value_of(step, lang))
        }
        FileChange::DeletedUnshown { old_bytes } => {
            let old = size(*old_bytes, lang);
            let ko = format!("삭제되는 파일 ({old}), 내용은 보이지 않음");
            let en = format!("a deleted file ({old}), its content is not shown");
            (in_lang(lang, &ko, &en), Vec::new())
        }
    };
    headed(step, path, &what, shown, lang)
}

fn headed(
    step: &PreviewStep,
    path: &str,
    what: &str,
    shown: Vec<String>,
    lang: Lang,
) -> Vec<String> {
    let head = cut(&format!("[{}] {path}: {what}", step.number), lang);
    std::iter::once(head).chain(shown).collect()
}

fn value_of(step: &PreviewStep, lang: Lang) -> Vec<String> {
    step.value.as_ref().map(|value| value_lines(value, "+ ", lang)).unwrap_or_default()
}

fn request_lines(step: &PreviewStep, request: &PreviewRequest, lang: Lang) -> Vec<String> {
    let PreviewRequest { system, credential, method, url, content_type, body } = request;
    let system = system.as_ref().map(|name| format!("{name}: ")).unwrap_or_default();
    let head = format!("[{}] {system}{} {url}", step.number, method.as_str());
    let mut lines = vec![cut(&head, lang)];
    let told = credential.iter().map(|of| in_lang(lang, &of.text.ko, &of.text.en));
    lines.extend(told.map(|told| cut(&told, lang)));
    lines.extend(content_type.iter().map(|kind| cut(&format!("Content-Type: {kind}"), lang)));
    lines.extend(body.iter().flat_map(|body| value_lines(body, "> ", lang)));
    let none = body.is_none() && !method.is_safe();
    lines.extend(none.then(|| in_lang(lang, "본문 없이 보냅니다.", "No body is sent.")));
    lines
}

fn diff_lines(lines: &[DiffLine], left_out: usize, lang: Lang) -> Vec<String> {
    let marked = |line: &DiffLine| {
        let mark = match line.change {
            LineChange::Kept => "  ",
            LineChange::Added => "+ ",
            LineChange::Removed => "- ",
            LineChange::Gap => "…",
        };
        format!("{mark}{}", line.text)
    };
    bounded(lines.iter().map(marked), lines.len() + left_out, lang)
}

fn value_lines(value: &PreviewValue, mark: &str, lang: Lang) -> Vec<String> {
    match value {
        PreviewValue::Text { text } => {
            let lines = text.lines().map(|line| format!("{mark}{line}"));
            bounded(lines, text.lines().count(), lang)
        }
        PreviewValue::Bound { from, holds } => {
            let from = cut(&format!("{mark}{}", in_lang(lang, &from.ko, &from.en)), lang);
            let held = holds.as_deref().unwrap_or_default();
            let lines = held.lines().map(|line| format!("{mark}{line}"));
            let held = bounded(lines, held.lines().count(), lang);
            std::iter::once(from).chain(held).collect()
        }
    }
}

fn bounded(lines: impl Iterator<Item = String>, all: usize, lang: Lang) -> Vec<String> {
    let mut shown: Vec<String> = lines.take(TEXT_LINES_MAX).map(|line| cut(&line, lang)).collect();
    let more = all.saturating_sub(shown.len());
    if more > 0 {
        let ko = format!("… {more}줄 더: 승인함의 미리보기에서 보입니다");
        let en = format!("… {more} more lines: see the approval's preview");
        shown.push(in_lang(lang, &ko, &en));
    }
    shown
}

fn cut(line: &str, lang: Lang) -> String {
    let Some((at, _)) = line.char_indices().nth(TEXT_LINE_CHARS_MAX) else {
        return line.to_owned();
    };
    let (shown, rest) = line.split_at(at);
    let more = rest.chars().count();
    match lang {
        Lang::Ko => format!("{shown}… ({more}자 더)"),
        Lang::En => format!("{shown}… ({more} more characters)"),
    }
}

fn left_out_steps(from: usize, lang: Lang) -> String {
    match lang {
        Lang::Ko => format!("… {from}단계부터는 승인함의 미리보기에서 보입니다\n"),
        Lang::En => format!("… from step {from} on: see the approval's preview\n"),
    }
}

fn size(bytes: Option<u64>, lang: Lang) -> String {
    match (bytes, lang) {
        (Some(bytes), Lang::Ko) => format!("{bytes}바이트"),
        (Some(bytes), Lang::En) => format!("{bytes} bytes"),
        (None, Lang::Ko) => "크기 모름".to_owned(),
        (None, Lang::En) => "size unknown".to_owned(),
    }
}

fn in_lang(lang: Lang, ko: &str, en: &str) -> String {
    match lang {
        Lang::Ko => ko.to_owned(),
        Lang::En => en.to_owned(),
    }
}
