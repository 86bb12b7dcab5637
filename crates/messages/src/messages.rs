//! The texts in which code answers, by code and language.

mod file;
mod keys;

use file::Texts;
use keys::{
    closed_key, failure_key, offline_key, outcome_key, provider_arguments, provider_key,
    reply_arguments, reply_key,
};
use wiiiv_domain::{
    DenyCode, JobName, Lang, NotDrawn, ProposalFailure, ReplyCode, RunOutcome, SlotName, TaskType,
};

pub use file::MessagesError;
pub use keys::{OfflineText, ProviderHint};

/// Why something was refused, and what each of three people can do about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Denial<'a> {
    pub text: &'a str,
    pub user: &'a str,
    pub operator: &'a str,
    pub administrator: &'a str,
}

#[derive(Debug, Clone)]
pub struct Messages {
    texts: Texts,
}

impl Messages {
    /// The files of `config/messages/` as they were at build; refused unless every code has a
    /// text in both languages, with the same placeholders.
    pub fn embedded() -> Result<Self, MessagesError> {
        Ok(Self { texts: Texts::embedded()? })
    }

    #[must_use]
    pub fn reply(&self, lang: Lang, reply: &ReplyCode) -> String {
        match reply {
            ReplyCode::Model { message } | ReplyCode::Told { message } => message.clone(),
            ReplyCode::NotDrawable { reasons } => {
                let reasons: Vec<String> =
                    reasons.iter().map(|reason| self.not_drawn(lang, reason)).collect();
                self.render(lang, reply_key(reply), &[("reasons", reasons.join("\n"))])
            }
            ReplyCode::Denied { codes } => {
                let told = codes.iter().map(|code| self.denial(lang, *code));
                let told: Vec<_> = told.map(|of| format!("{} {}", of.text, of.user)).collect();
                let codes: Vec<&str> = codes.iter().map(|code| code.as_str()).collect();
                let arguments = [("reasons", told.join(" ")), ("codes", codes.join(", "))];
                self.render(lang, reply_key(reply), &arguments)
            }
            // The same was refused before: nothing was reviewed that could be told.
            ReplyCode::DacsNo { concerns } if concerns.is_empty() => {
                self.render(lang, "reply.dacs_no_again", &[])
            }
            ReplyCode::JobsTaken { jobs }
            | ReplyCode::JobsDeclined { jobs }
            | ReplyCode::JobsDropped { jobs }
            | ReplyCode::JobsLeftOut { jobs }
            | ReplyCode::StillWaits { jobs, .. } => {
                self.render(lang, reply_key(reply), &[("jobs", self.jobs(lang, jobs))])
            }
            ReplyCode::TooManyJobs { jobs, room } => {
                let arguments = [("jobs", self.jobs(lang, jobs)), ("room", room.to_string())];
                self.render(lang, reply_key(reply), &arguments)
            }
            ReplyCode::JobClosed { job, outcome, next, left } => {
                let next = next.as_ref().map(|next| self.job(lang, next)).unwrap_or_default();
                let arguments = [
                    ("job", self.job(lang, job)),
                    ("outcome", self.texts.get(lang, closed_key(outcome)).to_owned()),
                    ("next", next),
                    ("left", left.to_string()),
                ];
                self.render(lang, reply_key(reply), &arguments)
            }
            ReplyCode::ModelFailed { failure } => self.failure(lang, *failure),
            ReplyCode::Facts { message, .. } if !message.is_empty() => message.clone(),
            ReplyCode::Facts { .. }
            | ReplyCode::Cancelled
            | ReplyCode::NothingToCancel
            | ReplyCode::Refused { .. }
            | ReplyCode::NothingToConfirm
            | ReplyCode::Stale { .. }
            | ReplyCode::Expired { .. }
            | ReplyCode::Edited { .. }
            | ReplyCode::NeedsRevision { .. }
            | ReplyCode::DacsNo { .. }
            | ReplyCode::Reopened { .. }
            | ReplyCode::Unavailable
            | ReplyCode::RunFailed { .. }
            | ReplyCode::RunCancelled { .. }
            | ReplyCode::RunIndeterminate { .. }
            | ReplyCode::RoundLimit
            | ReplyCode::TooManyTasks { .. }
            | ReplyCode::Degraded { .. }
            | ReplyCode::FellBack { .. }
            | ReplyCode::Waiting { .. }
            | ReplyCode::Busy
            | ReplyCode::Remember
            | ReplyCode::Reset
            | ReplyCode::Resumed { .. }
            | ReplyCode::UnknownTask => {
                self.render(lang, reply_key(reply), &reply_arguments(reply))
            }
        }
    }

    /// The question for what is missing; the model's own wording stands before it.
    #[must_use]
    pub fn ask(&self, lang: Lang, task: TaskType, missing: &[SlotName], message: &str) -> String {
        let open = || self.render(lang, "ask.open", &[("task", self.task(lang, task).to_owned())]);
        let asked = missing.iter().map(|name| {
            self.texts.find(lang, &format!("question.{name}")).unwrap_or(name.as_str())
        });
        let asked = asked.collect::<Vec<_>>().join(" ");
        let question = if asked.is_empty() { open() } else { asked };
        if message.is_empty() { question } else { format!("{message}\n{question}") }
    }

    /// The question under a preview: the requester's own yes is the approval.
    #[must_use]
    pub fn confirm(&self, lang: Lang, preview: &str, digest: &str) -> String {
        self.over_preview(lang, "preview.confirm", preview, digest)
    }
    /// What is told where somebody else is asked.
    #[must_use]
    pub fn seek_approval(&self, lang: Lang, preview: &str, digest: &str) -> String {
        self.over_preview(lang, "preview.seek_approval", preview, digest)
    }
    /// The question under a work order: it buys drawing, nothing else.
    #[must_use]
    pub fn work_order(&self, lang: Lang, order: &str, digest: &str) -> String {
        self.over_preview(lang, "preview.work_order", order, digest)
    }

    #[must_use]
    pub fn not_drawn(&self, lang: Lang, reason: &NotDrawn) -> String {
        match reason {
            NotDrawn::NoExecutor { task_type } => {
                let task = self.task(lang, *task_type).to_owned();
                self.render(lang, "not_drawn.no_executor", &[("task", task)])
            }
            NotDrawn::Slot { name, code } => {
                let why = self.slot_code(lang, code);
                let arguments = [("slot", self.slot(lang, name)), ("why", why)];
                self.render(lang, "not_drawn.slot", &arguments)
            }
            NotDrawn::OutsideEnvelope { what } => {
                self.render(lang, "not_drawn.outside_envelope", &[("what", what.clone())])
            }
            NotDrawn::Denied { code, what, .. } => {
                let denial = self.denial(lang, *code);
                let arguments = [
                    ("code", code.to_string()),
                    ("what", what.clone()),
                    ("why", denial.text.to_owned()),
                    ("user", denial.user.to_owned()),
                ];
                self.render(lang, "not_drawn.denied", &arguments)
            }
        }
    }

    #[must_use]
    pub fn denial(&self, lang: Lang, code: DenyCode) -> Denial<'_> {
        let part = |part: &str| self.texts.get(lang, &format!("deny.{code}.{part}"));
        Denial {
            text: part("text"),
            user: part("user"),
            operator: part("operator"),
            administrator: part("administrator"),
        }
    }

    #[must_use]
    pub fn failure(&self, lang: Lang, failure: ProposalFailure) -> String {
        self.texts.get(lang, failure_key(failure)).to_owned()
    }
    #[must_use]
    pub fn outcome(&self, lang: Lang, outcome: &RunOutcome) -> String {
        let code = match outcome {
            RunOutcome::Failed { code } => code.clone(),
            RunOutcome::Succeeded | RunOutcome::Cancelled | RunOutcome::Indeterminate => {
                String::new()
            }
        };
        self.render(lang, outcome_key(outcome), &[("code", code)])
    }
    #[must_use]
    pub fn offline(&self, lang: Lang, text: OfflineText) -> &str {
        self.texts.get(lang, offline_key(text))
    }
    #[must_use]
    pub fn provider_hint(&self, lang: Lang, hint: &ProviderHint<'_>) -> String {
        self.render(lang, provider_key(hint), &provider_arguments(hint))
    }
    /// A text whose code calls it by its key: `keys::OTHERS` has it.
    #[must_use]
    pub fn told(&self, lang: Lang, key: &str, arguments: &[(&str, String)]) -> String {
        self.render(lang, key, arguments)
    }
    /// For codes of which not every one has a text.
    #[must_use]
    pub fn find(&self, lang: Lang, key: &str) -> Option<&str> {
        self.texts.find(lang, key)
    }
    /// Why it cannot go on, and what the user is to say.
    #[must_use]
    pub fn offline_reasons(&self, lang: Lang, reasons: &[String]) -> String {
        let told: Vec<&str> = reasons.iter().map(|reason| reason.trim_end_matches('.')).collect();
        self.render(lang, "offline.reasons", &[("reasons", told.join("; "))])
    }
    /// Tasks that wait, by their kinds.
    #[must_use]
    pub fn offline_waits(&self, lang: Lang, tasks: &[TaskType]) -> String {
        let told: Vec<&str> = tasks.iter().map(|task| self.task(lang, *task)).collect();
        self.render(lang, "offline.waits", &[("tasks", told.join(", "))])
    }
    /// Registered systems, by what people call them.
    #[must_use]
    pub fn offline_systems(&self, lang: Lang, systems: &[String]) -> String {
        self.render(lang, "offline.systems", &[("systems", systems.join(", "))])
    }
    /// What a row of that operation's answer holds.
    #[must_use]
    pub fn offline_fields(&self, lang: Lang, operation: &str, fields: &[String]) -> String {
        let arguments = [("operation", operation.to_owned()), ("fields", fields.join(", "))];
        self.render(lang, "offline.fields", &arguments)
    }
    /// Which of the user's words say something of the rows that is not understood.
    #[must_use]
    pub fn offline_unread(&self, lang: Lang, words: &str) -> String {
        self.render(lang, "offline.unread", &[("words", words.to_owned())])
    }
    /// Which of the user's words say something of what is sent there that no field takes, and which
    /// fields are asked for.
    #[must_use]
    pub fn offline_sent(
        &self,
        lang: Lang,
        words: &str,
        operation: &str,
        fields: &[String],
    ) -> String {
        let (words, operation) = (("words", words.to_owned()), ("operation", operation.to_owned()));
        self.render(lang, "offline.sent", &[words, operation, ("fields", fields.join(", "))])
    }
    /// Why nothing of a message is taken, by the name of the reason; there is room for so many jobs.
    #[must_use]
    pub fn offline_lost(&self, lang: Lang, lost: &str, room: usize) -> String {
        self.render(lang, &format!("offline.{lost}"), &[("room", room.to_string())])
    }
    /// What a registered system can do.
    #[must_use]
    pub fn offline_operations(&self, lang: Lang, system: &str, operations: &[String]) -> String {
        let arguments = [("system", system.to_owned()), ("operations", operations.join(", "))];
        self.render(lang, "offline.operations", &arguments)
    }
    #[must_use]
    pub fn task(&self, lang: Lang, task: TaskType) -> &str {
        self.texts.get(lang, &format!("task.{task}"))
    }
    /// `Write a.md`; the user's own words where no task can do it.
    #[must_use]
    pub fn job(&self, lang: Lang, job: &JobName) -> String {
        if job.task_type.is_talk() && !job.object.is_empty() {
            return job.object.clone();
        }
        let key = if job.object.is_empty() { "task" } else { "job" };
        self.render(lang, &format!("{key}.{}", job.task_type), &[("object", job.object.clone())])
    }
    fn jobs(&self, lang: Lang, jobs: &[JobName]) -> String {
        let jobs = jobs.iter().enumerate();
        let told = jobs.map(|(at, job)| format!("{}. {}", at + 1, self.job(lang, job)));
        told.collect::<Vec<_>>().join("\n")
    }
    /// A slot that this build does not know is called by its own name.
    #[must_use]
    pub fn slot(&self, lang: Lang, name: &SlotName) -> String {
        self.texts.find(lang, &format!("slot.{name}")).unwrap_or(name.as_str()).to_owned()
    }

    fn slot_code(&self, lang: Lang, code: &str) -> String {
        match self.texts.find(lang, &format!("slot_code.{code}")) {
            Some(text) => text.to_owned(),
            None => self.render(lang, "slot_code.other", &[("code", code.to_owned())]),
        }
    }
    fn over_preview(&self, lang: Lang, key: &str, preview: &str, digest: &str) -> String {
        let arguments = [("preview", preview.to_owned()), ("digest", digest.to_owned())];
        self.render(lang, key, &arguments)
    }
    fn render(&self, lang: Lang, key: &str, arguments: &[(&str, String)]) -> String {
        file::fill(self.texts.get(lang, key), arguments)
    }
}

#[cfg(test)]
mod tests;
