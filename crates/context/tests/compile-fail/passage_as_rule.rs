use wiiiv_context::{PROMPT_TOKENS_MAX, PassageHit, Passages, Prompt, PromptParts, RuleSheet};

fn converted(passages: Passages) -> RuleSheet {
    passages.into()
}

fn of_a_hit(hit: PassageHit) -> RuleSheet {
    hit.into()
}

fn in_its_place(passages: &Passages, parts: PromptParts) {
    let _ = Prompt::new(passages, parts, PROMPT_TOKENS_MAX, |text| text.len() as u64);
}

fn main() {
    let _ = converted;
    let _ = of_a_hit;
    let _ = in_its_place;
}
