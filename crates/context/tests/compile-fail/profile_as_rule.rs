use wiiiv_context::{PROMPT_TOKENS_MAX, ProfileBlock, Prompt, PromptParts, RuleSheet};

fn converted(profile: ProfileBlock) -> RuleSheet {
    profile.into()
}

fn in_its_place(profile: &ProfileBlock, parts: PromptParts) {
    let _ = Prompt::new(profile, parts, PROMPT_TOKENS_MAX, |text| text.len() as u64);
}

fn main() {
    let _ = converted;
    let _ = in_its_place;
}
