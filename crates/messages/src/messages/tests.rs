use super::{
    file::{Texts, fill},
    *,
};
use uuid::Uuid;
use wiiiv_domain::{
    BlueprintDigest, ExecutionId, Grounds, JobName, PolicyVersionId, ProviderName, RulesHash,
    Slots, TaskId, TaskOutcome,
};

fn messages() -> Messages {
    Messages::embedded().unwrap()
}

fn every_reply() -> Vec<ReplyCode> {
    let digest = BlueprintDigest::of_bytes(b"plan");
    let execution = ExecutionId::from_uuid(Uuid::nil());
    let task = TaskId::from_uuid(Uuid::nil());
    let concerns = vec!["PATH_OUTSIDE".to_owned()];
    let policy = PolicyVersionId::from_uuid(Uuid::nil());
    let grounds = Grounds { rules: RulesHash::from_bytes([0; 32]), policy };
    let reasons = vec![NotDrawn::NoExecutor { task_type: TaskType::Command }];
    let job = JobName::of(TaskType::FileRead, &Slots::default());
    let jobs = vec![job.clone()];
    let closed = |next, left| {
        let (job, outcome) = (job.clone(), TaskOutcome::Done);
        ReplyCode::JobClosed { job, outcome, next, left }
    };
    vec![
        ReplyCode::Model { message: "hi".to_owned() },
        ReplyCode::Facts { execution, message: String::new() },
        ReplyCode::Cancelled,
        ReplyCode::NothingToCancel,
        ReplyCode::Refused { digest: None },
        ReplyCode::NothingToConfirm,
        ReplyCode::Stale { digest },
        ReplyCode::Expired { digest },
        ReplyCode::Edited { by: None, changes: Vec::new() },
        ReplyCode::NeedsRevision { concerns: concerns.clone() },
        ReplyCode::DacsNo { concerns },
        ReplyCode::Reopened { from: grounds, to: grounds },
        ReplyCode::NotDrawable { reasons },
        ReplyCode::Denied { codes: DenyCode::ALL.to_vec() },
        ReplyCode::Unavailable,
        ReplyCode::RunFailed { execution, code: "FILE_NOT_FOUND".to_owned() },
        ReplyCode::RunCancelled { execution },
        ReplyCode::RunIndeterminate { execution },
        ReplyCode::RoundLimit,
        ReplyCode::TooManyTasks { suspended: vec![task] },
        ReplyCode::JobsTaken { jobs: jobs.clone() },
        ReplyCode::TooManyJobs { jobs: jobs.clone(), room: 1 },
        ReplyCode::JobsDeclined { jobs: jobs.clone() },
        closed(None, 0),
        closed(Some(job.clone()), 0),
        closed(Some(job.clone()), 1),
        ReplyCode::JobsDropped { jobs: jobs.clone() },
        ReplyCode::JobsLeftOut { jobs: jobs.clone() },
        ReplyCode::StillWaits { jobs: jobs.clone(), aside: false },
        ReplyCode::StillWaits { jobs, aside: true },
        ReplyCode::ModelFailed { failure: ProposalFailure::Timeout },
        ReplyCode::Degraded {
            provider: ProviderName::Offline,
            model: "m".to_owned(),
            failure: ProposalFailure::Timeout,
        },
        ReplyCode::FellBack {
            provider: ProviderName::Custom,
            model: "m".to_owned(),
            to_provider: ProviderName::Ollama,
            to_model: "n".to_owned(),
            failure: ProposalFailure::Timeout,
        },
        ReplyCode::Waiting { digest },
        ReplyCode::Busy,
        ReplyCode::Remember,
        ReplyCode::Reset,
        ReplyCode::Resumed { task },
        ReplyCode::UnknownTask,
    ]
}

/// No text is empty, and no placeholder is left open.
#[test]
fn every_code_says_something_in_both_languages() {
    let messages = messages();
    let keys: Vec<&str> = every_reply().iter().map(keys::reply_key).collect();
    assert_eq!(keys, keys::REPLIES, "a reply is missing in this table");
    let check = |text: &str| assert!(!text.is_empty() && !text.contains('{'), "{text}");
    for lang in Lang::ALL {
        for reply in every_reply() {
            check(&messages.reply(lang, &reply));
        }
        for task in TaskType::ALL {
            check(messages.task(lang, task));
            let missing: Vec<SlotName> =
                task.required_slots().iter().map(|s| SlotName::parse(s).unwrap()).collect();
            check(&messages.ask(lang, task, &missing, ""));
            check(&messages.not_drawn(lang, &NotDrawn::NoExecutor { task_type: task }));
        }
        for code in ["PATH_EMPTY", "NEVER_HEARD_OF"] {
            let name = SlotName::parse(SlotName::TARGET_PATH).unwrap();
            check(&messages.not_drawn(lang, &NotDrawn::Slot { name, code: code.to_owned() }));
        }
        check(&messages.not_drawn(lang, &NotDrawn::OutsideEnvelope { what: "x".to_owned() }));
        for code in &DenyCode::ALL {
            let denial = messages.denial(lang, *code);
            for part in [denial.text, denial.user, denial.operator, denial.administrator] {
                check(part);
            }
            let denied = NotDrawn::Denied { code: *code, what: "/etc".to_owned(), rule: None };
            check(&messages.not_drawn(lang, &denied));
        }
        let failed = RunOutcome::Failed { code: "X".to_owned() };
        for outcome in
            [RunOutcome::Succeeded, failed, RunOutcome::Cancelled, RunOutcome::Indeterminate]
        {
            check(&messages.outcome(lang, &outcome));
        }
        for lost in wiiiv_language::Lost::ALL {
            check(&messages.offline_lost(lang, lost.as_str(), 8));
        }
        check(&messages.offline_reasons(lang, &["PATH_OUTSIDE".to_owned()]));
        check(&messages.offline_operations(lang, "skymall", &["products".to_owned()]));
        let origin = [("origin", "https://a.test".to_owned())];
        check(&messages.told(lang, "run.redirected_to", &origin));
        check(&messages.told(lang, "run.step_skipped", &[("step", "save".to_owned())]));
        for (key, name) in [("operations", "system"), ("fields", "fields"), ("systems", "systems")]
        {
            check(&messages.told(lang, &format!("ask.{key}"), &[(name, "skymall".to_owned())]));
        }
        check(&messages.confirm(lang, "preview", "9f3c"));
        check(&messages.seek_approval(lang, "preview", "9f3c"));
        check(&messages.work_order(lang, "order", "9f3c"));
    }
}

#[test]
fn a_missing_text_or_placeholder_is_refused() {
    let ko = include_str!("../../../../config/messages/ko.toml");
    let en = include_str!("../../../../config/messages/en.toml");
    let without = en.replace("cancelled = \"", "was_cancelled = \"");
    assert!(matches!(Texts::parse(ko, &without), Err(MessagesError::Missing { .. })));
    let other = en.replace("{digest}", "{hash}");
    assert!(matches!(Texts::parse(ko, &other), Err(MessagesError::Placeholders { .. })));
}

#[test]
fn values_are_not_read_again() {
    let arguments = [("a", "{b}".to_owned()), ("b", "x".to_owned())];
    assert_eq!(fill("{a} and {b}, {c}", &arguments), "{b} and x, {c}");
}
