use crate::world::{World, parts, prompt};
use expect_test::{Expect, expect};
use wiiiv_context::{PromptParts, RunFacts, TaskFacts};
use wiiiv_domain::{ExecutionId, Lang, Proposal, SlotName, Slots, Spec, TaskSwitch, TaskType};

fn shown(proposal: &Proposal) -> String {
    let Proposal { action, task_type, message, slots, task_switch, envelope } = proposal;
    assert_eq!(*envelope, wiiiv_domain::Envelope::default());
    let switch = match task_switch {
        TaskSwitch::Stay => "stay",
        TaskSwitch::New => "new",
        TaskSwitch::To(_) => "to",
    };
    let slots: Vec<String> = slots
        .iter()
        .filter(|(name, _)| name.as_str() != SlotName::INTENT)
        .map(|(name, value)| format!(" {name}={value:?}"))
        .collect();
    let message = message.chars().take(24).collect::<String>();
    format!("{action:?} {task_type} {switch}{}  {message}", slots.concat()).trim_end().to_owned()
}

async fn check(base: &PromptParts, messages: &str, expected: Expect) {
    let world = World::offline();
    let mut table = String::new();
    for message in messages.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let asked = prompt(PromptParts { message: message.to_owned(), ..base.clone() });
        let done = world.ask_with(&asked, None).await.unwrap();
        assert_eq!((done.attempts, done.usage.input_tokens), (0, 0));
        table.push_str(&format!("{message}\n    {}\n", shown(&done.proposal)));
    }
    expected.assert_eq(&table);
}

fn task(task_type: TaskType, known: &[(&str, &str)]) -> PromptParts {
    let mut slots = Slots::default();
    for (name, value) in known {
        slots.set(name, *value).unwrap();
    }
    let missing = Spec::missing(task_type, &slots);
    let missing = missing.iter().map(|name| SlotName::parse(name).unwrap()).collect();
    let facts = TaskFacts { task_type, slots, missing, state: "Interviewing".to_owned() };
    PromptParts { task: Some(facts), ..parts("") }
}

#[tokio::test]
async fn whole_requests_are_proposed_for_execution() {
    check(
        &parts(""),
        "
        노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘
        write '3pm meeting' to the note file notes/today.md
        notes/오늘.md 읽어줘
        delete notes/today.md
        http://127.0.0.1:4000/items 에서 name, price 필드만 뽑아서 /report.json 에 저장해줘
        POST '{\"sku\":\"A1\"}' to http://127.0.0.1:4000/orders
        ",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn what_is_missing_is_asked_for() {
    check(
        &parts(""),
        "
        notes/오늘.md 에 써줘
        파일 삭제해줘
        API 호출해줘
        명령 실행해줘
        don't delete notes/a.md
        안녕하세요
        what is the capital of France?
        asdf
        ",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn an_answer_completes_the_active_task() {
    let missing_content = task(TaskType::FileWrite, &[(SlotName::TARGET_PATH, "notes/오늘.md")]);
    check(
        &missing_content,
        "
        회의 3시
        '회의 3시'
        notes/b.md 읽어줘
        write 'x' to notes/b.md
        ",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn a_change_stays_and_a_whole_request_is_another_task() {
    let known = [(SlotName::TARGET_PATH, "notes/오늘.md"), (SlotName::CONTENT, "회의 3시")];
    check(
        &task(TaskType::FileWrite, &known),
        "
        notes/내일.md 로 바꿔줘
        write 'x' to notes/b.md
        notes/b.md 읽어줘
        안녕
        ",
        expect![[""]],
    )
    .await;
}

#[tokio::test]
async fn after_a_run_it_proposes_nothing_more() {
    let facts =
        RunFacts { execution: ExecutionId::from_uuid(uuid::Uuid::nil()), steps: Vec::new() };
    let after = PromptParts { facts: Some(facts), ..parts("") };
    check(&after, "notes/오늘.md 삭제해줘", expect![[""]]).await;
    let english = PromptParts { language: Lang::En, ..after };
    check(&english, "delete notes/today.md", expect![[""]]).await;
}

#[tokio::test]
async fn an_earlier_result_is_referred_to() {
    let after = PromptParts { earlier_run: true, ..parts("") };
    check(
        &after,
        "
        아까 그 결과를 copy.json 에 저장해줘
        save that result to copy.json
        ",
        expect![[""]],
    )
    .await;
}
