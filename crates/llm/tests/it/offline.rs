use crate::test_models::{TestModels, parts, prompt};
use expect_test::{Expect, expect};
use wiiiv_context::{
    Dialogue, Line, LineKind, MemoryBlocks, PromptParts, RunFacts, Speaker, TaskFacts,
};
use wiiiv_domain::{
    ExecutionId, Lang, LaterJob, MemoryText, Proposal, SlotName, Slots, Spec, TaskId, TaskSwitch,
    TaskType, TurnId,
};

fn shown(proposal: &Proposal) -> String {
    let Proposal { action, task_type, message, slots, task_switch, envelope, later, .. } = proposal;
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
    let message = message.chars().take(60).collect::<String>();
    let later: Vec<String> = later.iter().map(named).collect();
    format!("{action:?} {task_type} {switch}{}  {message}{}", slots.concat(), later.concat())
        .trim_end()
        .to_owned()
}

fn named(job: &LaterJob) -> String {
    let slots = job.slots.iter().filter(|(name, _)| name.as_str() != SlotName::INTENT);
    let slots: Vec<String> = slots.map(|(name, value)| format!(" {name}={value:?}")).collect();
    format!("; then {}{}", job.task_type, slots.concat())
}

pub async fn check(base: &PromptParts, messages: &str, expected: Expect) {
    let test = TestModels::offline();
    let mut table = String::new();
    for message in messages.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let asked = prompt(PromptParts { message: message.to_owned(), ..base.clone() });
        let done = test.ask_with(&asked, None).await.unwrap();
        assert_eq!((done.attempts, done.spent.total().input_tokens), (0, 0));
        table.push_str(&format!("{message}\n    {}\n", shown(&done.proposal)));
    }
    expected.assert_eq(&table);
}

pub fn task(task_type: TaskType, known: &[(&str, &str)]) -> PromptParts {
    let mut slots = Slots::default();
    for (name, value) in known {
        slots.set(name, *value).unwrap();
    }
    let missing = Spec::missing(task_type, &slots);
    let missing = missing.iter().map(|name| SlotName::parse(name).unwrap()).collect();
    let state = "Interviewing".to_owned();
    let facts = TaskFacts { task_type, slots, missing, state, asks_others: false };
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
        expect![[r#"
            노트 파일 notes/오늘.md 에 '회의 3시' 라고 써줘
                Execute FILE_WRITE new content="회의 3시" targetPath="notes/오늘.md"
            write '3pm meeting' to the note file notes/today.md
                Execute FILE_WRITE new content="3pm meeting" targetPath="notes/today.md"
            notes/오늘.md 읽어줘
                Execute FILE_READ new targetPath="notes/오늘.md"
            delete notes/today.md
                Execute FILE_DELETE new targetPath="notes/today.md"
            http://127.0.0.1:4000/items 에서 name, price 필드만 뽑아서 /report.json 에 저장해줘
                Execute API_WORKFLOW new domain="127.0.0.1:4000" select="[.[] | {name, price}]" targetPath="/report.json" url="http://127.0.0.1:4000/items"
            POST '{"sku":"A1"}' to http://127.0.0.1:4000/orders
                Execute API_WORKFLOW new body="{\"sku\":\"A1\"}" domain="127.0.0.1:4000" method="POST" url="http://127.0.0.1:4000/orders"
        "#]],
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
        expect![[r#"
            notes/오늘.md 에 써줘
                Ask FILE_WRITE new targetPath="notes/오늘.md"
            파일 삭제해줘
                Ask FILE_DELETE new
            API 호출해줘
                Ask API_WORKFLOW new
            명령 실행해줘
                Ask COMMAND new
            don't delete notes/a.md
                Reply CONVERSATION stay  알겠습니다. 아무것도 하지 않았습니다.
            안녕하세요
                Reply CONVERSATION stay  안녕하세요. 파일을 읽고 쓰고 지우는 일과 API 호출을 도와드립니다.
            what is the capital of France?
                Reply CONVERSATION stay  내장 모델은 지식을 묻는 질문에는 답하지 못합니다. 파일과 API 일은 할 수 있습니다.
            asdf
                Reply CONVERSATION stay  무엇을 할지 알아듣지 못했습니다. 예: "notes/오늘.md에 '회의 3시'라고 써줘", "notes/오늘
        "#]],
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
        expect![[r#"
            회의 3시
                Execute FILE_WRITE stay content="회의 3시"
            '회의 3시'
                Execute FILE_WRITE stay content="회의 3시"
            notes/b.md 읽어줘
                Execute FILE_READ new targetPath="notes/b.md"
            write 'x' to notes/b.md
                Execute FILE_WRITE stay content="x" targetPath="notes/b.md"
        "#]],
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
        expect![[r#"
            notes/내일.md 로 바꿔줘
                Execute FILE_WRITE stay targetPath="notes/내일.md"
            write 'x' to notes/b.md
                Execute FILE_WRITE new content="x" targetPath="notes/b.md"
            notes/b.md 읽어줘
                Execute FILE_READ new targetPath="notes/b.md"
            안녕
                Reply CONVERSATION stay  안녕하세요. 파일을 읽고 쓰고 지우는 일과 API 호출을 도와드립니다.
        "#]],
    )
    .await;
}

#[tokio::test]
async fn after_a_run_it_proposes_nothing_more() {
    let facts =
        RunFacts { execution: ExecutionId::from_uuid(uuid::Uuid::nil()), steps: Vec::new() };
    let after = PromptParts { facts: Some(facts), ..parts("") };
    check(
        &after,
        "notes/오늘.md 삭제해줘",
        expect![[r#"
            notes/오늘.md 삭제해줘
                Reply CONVERSATION stay
        "#]],
    )
    .await;
    let english = PromptParts { language: Lang::En, ..after };
    check(
        &english,
        "delete notes/today.md",
        expect![[r#"
            delete notes/today.md
                Reply CONVERSATION stay
        "#]],
    )
    .await;
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
        expect![[r#"
            아까 그 결과를 copy.json 에 저장해줘
                Execute FILE_WRITE new sourceRun="last" targetPath="copy.json"
            save that result to copy.json
                Execute FILE_WRITE new sourceRun="last" targetPath="copy.json"
        "#]],
    )
    .await;
}

#[tokio::test]
async fn questions_about_itself_and_the_conversation_are_answered() {
    let said = |text: &str| (Speaker::User, text.to_owned());
    let history = vec![said("안녕하세요"), said("notes/오늘.md 읽어줘"), said("delete notes/a.md")];
    check(
        &PromptParts { history, ..parts("") },
        "
        넌 뭘 할 수 있어?
        승인은 어떻게 해?
        지금 뭐 기다리고 있어?
        제가 맨 처음에 뭐 해달라고 했었죠?
        what did I ask you for?
        ",
        expect![[r#"
            넌 뭘 할 수 있어?
                Reply CONVERSATION stay  요청을 이해해 무엇을 할지 먼저 보여 드리고, 승인하시면 실행합니다. 할 수 있는 일: 파일 읽기·쓰기·삭제
            승인은 어떻게 해?
                Reply CONVERSATION stay  무언가를 바꾸는 일은 미리보기를 먼저 보여 드립니다. 그대로면 '네', 아니면 '아니요'라고 답하시거나 승인
            지금 뭐 기다리고 있어?
                Reply CONVERSATION stay  지금 대기 중인 작업이 없습니다.
            제가 맨 처음에 뭐 해달라고 했었죠?
                Reply CONVERSATION stay  이렇게 말씀하셨습니다: notes/오늘.md 읽어줘
            what did I ask you for?
                Reply CONVERSATION stay  이렇게 말씀하셨습니다: delete notes/a.md
        "#]],
    )
    .await;
}

/// As much of it as a prompt shows in short.
#[tokio::test]
async fn the_beginning_of_a_long_conversation_is_told_too() {
    let line = |speaker, kind, text: &str| Line { speaker, kind, text: text.to_owned() };
    let mut dialogue = Dialogue::default();
    dialogue.note(line(Speaker::User, LineKind::Words, "notes/오늘.md 읽어줘"));
    dialogue.note(line(Speaker::Governor, LineKind::Report { plan: None }, "✓ read (31 B)"));
    for nth in 0..20 {
        dialogue.note(line(Speaker::User, LineKind::Words, &format!("점심은 {nth}시에 먹었어요")));
    }
    let long_term = dialogue.long_term(TurnId::from_uuid(uuid::Uuid::nil()), None).map(Box::new);
    let recent = dialogue.recent().map(|line| (line.speaker, line.text.clone()));
    let history = recent.collect();
    check(
        &PromptParts { long_term, history, ..parts("") },
        "
        제가 맨 처음에 뭐 해달라고 했었죠?
        ",
        expect![[r#"
            제가 맨 처음에 뭐 해달라고 했었죠?
                Reply CONVERSATION stay  이렇게 말씀하셨습니다: notes/오늘.md 읽어줘
        "#]],
    )
    .await;
}

#[tokio::test]
async fn the_last_question_is_told_too() {
    let said = |text: &str| (Speaker::User, text.to_owned());
    let history =
        vec![said("delete notes/a.md"), said("지금 몇 시야?"), said("내가 방금 뭐 물어봤지?")];
    check(
        &PromptParts { history, ..parts("") },
        "
        방금 내가 뭐라고 물어봤더라?
        what did I just ask?
        내가 뭐 기억하라고 했지?
        ",
        expect![[r#"
            방금 내가 뭐라고 물어봤더라?
                Reply CONVERSATION stay  이렇게 말씀하셨습니다: 지금 몇 시야?
            what did I just ask?
                Reply CONVERSATION stay  이렇게 말씀하셨습니다: 지금 몇 시야?
            내가 뭐 기억하라고 했지?
                Reply CONVERSATION stay  아직 기억하고 있는 것이 없습니다. 예: 나는 짧은 답을 좋아한다고 기억해 줘.
        "#]],
    )
    .await;
}

#[tokio::test]
async fn what_is_kept_in_mind_is_told_as_it_stands() {
    let text = |text: &str| MemoryText::parse(text).unwrap();
    let memory =
        MemoryBlocks { user: text("- 짧은 답"), project: text("- 금액은 원화로") };
    check(
        &PromptParts { memory: memory.clone(), ..parts("") },
        "내가 뭐 기억하라고 했지?",
        expect![[r#"
            내가 뭐 기억하라고 했지?
                Reply CONVERSATION stay  내 메모리에 있는 내용입니다:
            - 짧은 답
            프로젝트의 메모리에 있는 내용입니다:
            - 금액은 원화로
        "#]],
    )
    .await;
    let memory = MemoryBlocks { user: MemoryText::empty(), ..memory };
    check(
        &PromptParts { memory, language: Lang::En, ..parts("") },
        "what did I tell you to remember?",
        expect![[r#"
            what did I tell you to remember?
                Reply CONVERSATION stay  This is in the project's memory:
            - 금액은 원화로
        "#]],
    )
    .await;
}

#[tokio::test]
async fn a_task_that_was_put_aside_is_gone_back_to() {
    let id = |number| TaskId::from_uuid(uuid::Uuid::from_u128(number));
    let suspended = vec![(id(1), TaskType::FileWrite), (id(2), TaskType::FileDelete)];
    check(
        &PromptParts { suspended, ..parts("") },
        "
        아까 하던 거 마저 합시다
        let's go back to the task from before
        지금 뭐 기다리고 있어?
        ",
        expect![[r#"
            아까 하던 거 마저 합시다
                Reply CONVERSATION to
            let's go back to the task from before
                Reply CONVERSATION to
            지금 뭐 기다리고 있어?
                Reply CONVERSATION stay  대기 중인 작업: 파일 쓰기, 파일 삭제.
        "#]],
    )
    .await;
}

#[tokio::test]
async fn thanks_are_answered_as_thanks() {
    check(
        &parts(""),
        "
        고마워요, 수고하셨습니다
        thanks, that's all
        고마워 일곱시에 알람 맞춰줘
        고마워! 슬리퍼 하나 사줘
        cheers, could you polish it too?
        ",
        expect![[r#"
            고마워요, 수고하셨습니다
                Reply CONVERSATION stay  천만에요. 필요하면 다시 말씀해 주세요.
            thanks, that's all
                Reply CONVERSATION stay  천만에요. 필요하면 다시 말씀해 주세요.
            고마워 일곱시에 알람 맞춰줘
                Reply CONVERSATION stay  이 버전에는 그 일을 하는 기능이 없어서 아무것도 하지 않았습니다. 이름을 말씀하신 파일을 읽고, 쓰고, 덧
            고마워! 슬리퍼 하나 사줘
                Reply CONVERSATION stay  무엇을 할지 알아듣지 못했습니다. 예: "notes/오늘.md에 '회의 3시'라고 써줘", "notes/오늘
            cheers, could you polish it too?
                Reply CONVERSATION stay  무엇을 할지 알아듣지 못했습니다. 예: "notes/오늘.md에 '회의 3시'라고 써줘", "notes/오늘
        "#]],
    )
    .await;
}
