//! The tokens of a prompt are shared out, and no share is exceeded.

use crate::{FENCE, bytes, hit, parts, skymall};
use proptest::prelude::*;
use std::sync::Arc;
use wiiiv_context::{
    Dialogue, Grants, Line, LineKind, LongTerm, MemoryBlocks, Part, PartSizes, PassageOptions,
    Passages, PlanBounds, PlanRefusal, PlannedPart, ProfileBlock, Prompt, PromptError, PromptParts,
    REPAIR_TOKENS_RESERVED, RelatedTurn, Rendered, RuleBook, RuleSheet, RunFacts, SafetyFacts,
    Speaker, StepFact, Summary, TokenCounter, TokenPlan, profile_schema,
};
use wiiiv_domain::{
    ExecutionId, MemoryText, ProfileDocument, ProfileName, StepId, Timestamp, TurnId,
};

/// A token for each byte; `most`: of rules and blocks in one piece.
struct Bytes {
    most: usize,
}

impl TokenCounter for Bytes {
    fn count(&self, text: &str) -> u64 {
        bytes(text)
    }
    fn fits(&self, sheet: &RuleSheet, user: &str) -> bool {
        sheet.text().len() + user.len() <= self.most
    }
}

fn planned(parts: PromptParts, total: u64) -> Result<Prompt, PromptError> {
    let bounds = PlanBounds { total, window: 200_000, error_percent: 0 };
    Prompt::planned(&RuleBook::embedded(), parts, bounds, &Bytes { most: usize::MAX })
}

fn shares(grants: &Grants) -> u64 {
    Part::ALL.into_iter().map(|part| grants.granted(part)).sum()
}

fn of(plan: &TokenPlan, part: Part) -> PlannedPart {
    let found = plan.parts.iter().find(|one| one.part == part);
    *found.unwrap()
}

fn rules() -> u64 {
    bytes(RuleBook::embedded().sheet().text())
}

fn talk(messages: usize, letters: usize) -> Vec<(Speaker, String)> {
    let line = |n: usize| (Speaker::User, format!("word-{n:02} {}", "a".repeat(letters)));
    (0..messages).map(line).collect()
}

fn run(outputs: usize, letters: usize) -> RunFacts {
    let step = |n: usize| StepFact {
        step: StepId::parse(&format!("s{n}")).unwrap(),
        ok: true,
        text: "b".repeat(letters),
    };
    let execution = ExecutionId::from_uuid(uuid::Uuid::nil());
    RunFacts { execution, steps: (0..outputs).map(step).collect() }
}

/// By the user and by us in turn.
fn said_in(texts: &[String]) -> Dialogue {
    let mut dialogue = Dialogue::default();
    for (nth, text) in texts.iter().enumerate() {
        let speaker = if nth % 2 == 0 { Speaker::User } else { Speaker::Governor };
        dialogue.note(Line { speaker, kind: LineKind::Words, text: text.clone() });
    }
    dialogue
}

/// A total of 1,500 with 650 tokens of message and memory: a floor of 1,000 for the conversation would make 2,160
/// of it.
#[test]
fn a_small_total_is_shared_and_not_exceeded() {
    let sizes = PartSizes {
        system: 100,
        user_memory: 150,
        query: 500,
        sources: 5_000,
        recent: 9_000,
        ..PartSizes::default()
    };
    let grants = Grants::of(1_500, &sizes).unwrap();
    let granted = |part| grants.granted(part);
    assert_eq!(granted(Part::System), 400, "its floor");
    assert_eq!((granted(Part::Recent), granted(Part::Sources)), (270, 180), "60 % of 450");
    assert_eq!(shares(&grants), 1_500);
    // What one side does not need is the other's.
    let quiet = Grants::of(1_500, &PartSizes { recent: 50, ..sizes }).unwrap();
    assert_eq!(quiet.granted(Part::Sources), 400);
    let alone = Grants::of(1_500, &PartSizes { sources: 0, systems: 30, ..sizes }).unwrap();
    assert_eq!((alone.granted(Part::Recent), alone.granted(Part::Systems)), (420, 30));
    // Of older turns those that are near come before key points, and facts of safety before both.
    let (summary, summary_least, related) = (300, 100, 50);
    let older = PartSizes { summary, summary_least, related, sources: 0, ..sizes };
    let older = Grants::of(1_500, &older).unwrap();
    let of_older = [Part::Related, Part::Summary, Part::Recent].map(|part| older.granted(part));
    assert_eq!(of_older, [50, 190, 210]);
    let refused = Grants::of(1_049, &sizes);
    assert_eq!(refused, Err(PlanRefusal { needed: 1_050, max: 1_049 }));
}

proptest! {
    #[test]
    fn shares_never_add_up_to_more_than_the_total(
        total in 0..200_000_u64,
        sizes in prop::array::uniform14(
            prop_oneof![12 => 0..500_u64, 4 => 0..60_000_u64, 1 => Just(u64::MAX)]
        ),
    ) {
        let [
            system, user_memory, project_memory, profile, summary, summary_least, related, task, query, systems, documents,
            sources, sources_least, recent,
        ] = sizes;
        let sizes = PartSizes {
            system, user_memory, project_memory, profile, summary, summary_least, related, task, query, systems, documents,
            sources, sources_least, recent,
        };
        match Grants::of(total, &sizes) {
            Ok(grants) => {
                prop_assert!(shares(&grants) <= total);
                for (part, size) in [(Part::System, system), (Part::Query, query), (Part::Task, task), (Part::Profile, profile)] {
                    prop_assert!(grants.granted(part) >= size, "never cut");
                }
                prop_assert!(grants.granted(Part::Sources) >= sources_least.min(sources));
                prop_assert!(grants.granted(Part::Summary) >= summary_least.min(summary));
                prop_assert!(grants.granted(Part::Documents) <= (total * 9 / 40).max(900));
                if sizes.sum() <= total {
                    prop_assert!(grants.granted(Part::Documents) >= documents.min(900));
                    prop_assert!(grants.granted(Part::Recent) >= recent);
                    prop_assert!(grants.granted(Part::Sources) >= sources);
                    prop_assert!(grants.granted(Part::Systems) >= systems);
                    prop_assert!(grants.granted(Part::Summary) >= summary);
                    prop_assert!(grants.granted(Part::Related) >= related);
                }
            }
            Err(PlanRefusal { needed, max }) => prop_assert!(needed > max && max == total),
        }
    }

    /// What is laid out is what the plan says, whatever is said and read.
    #[test]
    fn a_prompt_takes_what_its_plan_says_and_no_more_than_the_total(
        said in prop::collection::vec("\\PC{0,300}", 0..40),
        outputs in prop::collection::vec("\\PC{0,900}", 0..4),
        message in "\\PC{0,300}",
        over in 0..9_000_u64,
    ) {
        let mut dialogue = said_in(&said);
        let long_term = dialogue.long_term(TurnId::from_uuid(uuid::Uuid::nil()), None).map(Box::new);
        let history = dialogue.recent().map(|line| (line.speaker, line.text.clone())).collect();
        let mut facts = run(outputs.len(), 0);
        facts.steps.iter_mut().zip(outputs).for_each(|(step, text)| step.text = text);
        let parts = PromptParts { long_term, history, facts: Some(facts), ..parts(&message) };
        let total = rules() + over;
        match planned(parts, total) {
            Ok(prompt) => {
                let plan = prompt.plan();
                let sent = bytes(prompt.system()) + bytes(prompt.user());
                prop_assert_eq!((plan.used(), prompt.tokens(bytes)), (sent, sent + REPAIR_TOKENS_RESERVED));
                prop_assert!(sent <= total);
                prop_assert!(plan.parts.iter().all(|part| part.used <= part.granted), "{plan:?}");
                let opened = format!("<<<{} MESSAGE\n", FENCE);
                prop_assert!(prompt.user().contains(&opened));
            }
            Err(error) => {
                let refused = matches!(error, PromptError::TooLong { needed, max } if needed > max);
                prop_assert!(refused, "{error}");
            }
        }
    }
}

#[test]
fn each_part_says_what_it_takes_and_what_was_left_out_of_it() {
    let text = |letters: usize| MemoryText::parse(&"m".repeat(letters)).unwrap();
    let memory = MemoryBlocks { user: text(300), project: text(200) };
    let history = talk(24, 400);
    let summary = Summary::of_text("point", SafetyFacts::of(["limit"]));
    let related = vec![RelatedTurn::new(0, "said", "answered")];
    let medical = profile_schema(&ProfileName::parse("medical").unwrap()).unwrap();
    let told = ProfileDocument::default();
    let whole = PromptParts {
        memory,
        profile: Some(ProfileBlock::of(&medical, &told, Timestamp::from_unix_ms(0))),
        long_term: Some(Box::new(LongTerm { summary, related, notes: Vec::new() })),
        history,
        systems: Arc::from([skymall()]),
        facts: Some(run(2, 500)),
        documents: Some(Passages::new(vec![hit("passage")], PassageOptions::default())),
        ..parts("안녕")
    };
    let all = planned(whole.clone(), 200_000).unwrap();
    let parts: Vec<Part> = all.plan().parts.iter().map(|part| part.part).collect();
    assert_eq!(parts, Part::ALL);
    assert_eq!(of(all.plan(), Part::Recent).dropped, 4, "of 24 the last 20 are shown");
    let sheet = RuleBook::embedded().profile_sheet().clone();
    assert_eq!(of(all.plan(), Part::System).used, bytes(sheet.text()));

    let less = planned(whole, all.plan().used() - 1_000).unwrap();
    let recent = of(less.plan(), Part::Recent);
    assert!((5..9).contains(&recent.dropped), "{recent:?}");
    assert!(!less.user().contains("word-04") && less.user().contains("word-23"));
    // Whoever reads the parts reads the same.
    let kept = 24 - recent.dropped;
    assert_eq!(u64::try_from(less.parts().history.len()).unwrap(), kept);
    assert_eq!(less.parts().history.last().unwrap().1, talk(24, 400).pop().unwrap().1);
}

/// Neither starves the other, and what is read is cut shorter before a call is refused.
#[test]
fn outputs_are_cut_shorter_and_the_conversation_keeps_its_share() {
    let whole = PromptParts {
        history: talk(20, 600),
        facts: Some(run(4, 3_900)),
        ..parts("what came of it?")
    };
    let prompt = planned(whole.clone(), rules() + 10_000).unwrap();
    let (recent, sources) = (of(prompt.plan(), Part::Recent), of(prompt.plan(), Part::Sources));
    assert!(recent.used > 4_500 && sources.used > 1_000, "{recent:?} {sources:?}");
    assert_eq!(sources.dropped, 4, "each is cut short");
    assert!(recent.dropped > 0 && prompt.user().contains("word-19"));
    // Each with its beginning, and nothing of what was said before.
    let least = planned(whole.clone(), rules() + 1_500).unwrap();
    assert_eq!(least.user().matches(&"b".repeat(200)).count(), 4);
    assert!(!least.user().contains(&"b".repeat(201)) && !least.user().contains("word-19"));
    let refused = planned(whole, rules() + 700);
    assert!(matches!(refused, Err(PromptError::TooLong { needed, max }) if needed > max));
}

/// What counts otherwise in one piece gives way like the rest.
#[test]
fn a_bound_that_no_plan_knows_of_is_kept_too() {
    let bounds = PlanBounds { total: 200_000, window: 200_000, error_percent: 0 };
    let book = RuleBook::embedded();
    let whole = PromptParts { history: talk(10, 400), ..parts("안녕") };
    let most = book.sheet().text().len() + 2_000;
    let prompt = Prompt::planned(&book, whole.clone(), bounds, &Bytes { most }).unwrap();
    assert!(prompt.system().len() + prompt.user().len() <= most);
    assert!(prompt.user().contains("word-09") && !prompt.user().contains("word-05"));
    assert_eq!(of(prompt.plan(), Part::Recent).dropped, 7);
    let most = book.sheet().text().len();
    let refused = Prompt::planned(&book, whole, bounds, &Bytes { most });
    assert!(matches!(refused, Err(PromptError::TooLong { needed, max }) if needed > max));
}
