//! Why a command ends early, and with which code.

use crate::audit_feed::ReceiverRefused;
use crate::config::ConfigError;
use crate::credentials::CredentialsError;
use crate::exit::Exit;
use crate::local_model_fault::LocalModelFault;
use crate::secret::SecretError;
use std::io;
use std::path::{Path, PathBuf};
use wiiiv_context::OpenSearchFault;
use wiiiv_embed::LocalModel;
use wiiiv_ghost::{PlayError, ScenarioError};
use wiiiv_net::{ApiError, Problem};
use wiiiv_server::ProblemCode;

/// What is not there. Of a document nobody is told whether it was removed or is closed to them, and of a decision not
/// whether another project has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absent {
    Document,
    Passage,
    Decision,
}

#[derive(Debug, thiserror::Error)]
pub enum Failure {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Credentials(#[from] CredentialsError),
    #[error(transparent)]
    Secret(#[from] SecretError),
    #[error(transparent)]
    Api(#[from] ApiError),
    /// The server refused a change of what that command shows.
    #[error("{error}")]
    Change { error: ApiError, show: String },
    /// Of a profile no change of that number waits. `known`: those that do.
    #[error("{error}")]
    NotWaiting { error: ApiError, show: String, change: u64, known: String },
    /// The server shows no such document, none of its passages has that number, or the project has no such decision.
    #[error("{error}")]
    Absent { error: ApiError, of: Absent },
    #[error("not logged in at `{origin}`: run `wiiiv login NAME --server {origin}`")]
    NotLoggedIn { origin: String },
    #[error("no project named `{name}` among yours: `{known}`")]
    NoSuchProject { name: String, known: String },
    #[error("no profile of fine rules is called `{name}`: there are `{known}`")]
    NoSuchProfile { name: String, known: String },
    #[error("several projects: name one with `--project`: `{known}`")]
    WhichProject { known: String },
    #[error("several projects are named `{name}`: name yours by its id: `{known}`")]
    SeveralNamed { name: String, known: String },
    #[error("`--project` goes with `--of project`: without it the key would be your own")]
    NotOfProject,
    #[error("`--project` goes with `--scope project`: the other scopes have no project")]
    OtherScope,
    #[error("nothing of yours has the id `{given}`: a list shows the digits that name one")]
    NoSuchId { given: String },
    #[error(
        "no execution or approval of yours has the id `{given}`: give a plan's or a turn's whole id"
    )]
    NoSuchDecision { given: String },
    #[error("several ids match `{given}`: give more digits: `{known}`")]
    SeveralIds { given: String, known: String },
    #[error("no session to continue: start one with `wiiiv chat`")]
    NoSession,
    #[error("this conversation asks for no values now: `--field` answers a form")]
    NoForm,
    #[error("the form has no field `{name}`")]
    NoField { name: String },
    #[error(
        "the digest `{given}` is not that of the request, `{asked}`: read it again with `wiiiv approvals show`"
    )]
    OtherDigest { given: String, asked: String },
    #[error(
        "say which plan you mean: `--digest` with at least `{min}` of its digits, as `wiiiv approvals show` prints it"
    )]
    NoDigest { min: usize },
    #[error(
        "this question was not shown here: read it with `wiiiv approvals show {approval}`, then `wiiiv approvals approve {approval} --digest {digest}`"
    )]
    Unseen { approval: String, digest: String },
    #[error("no user `{name}`: name one by id, or let an administrator add them")]
    NoSuchUser { name: String },
    #[error("no member `{name}` in this project: see `wiiiv projects members`")]
    NoSuchMember { name: String },
    #[error("another person has to approve it: see `wiiiv approvals show {approval}`")]
    ForAnother { approval: String },
    #[error("no account `{name}`")]
    NoSuchAccount { name: String },
    #[error("no provider `{name}`: there is `{known}`, or any with `--base-url`")]
    NoSuchProvider { name: String, known: String },
    #[error("the provider `{name}` cannot be used yet: {hint}")]
    ProviderNotReady { name: String, hint: String },
    #[error("`--title` names one file: leave it out where there are several")]
    TitleOfOne,
    #[error("`{flag}` is missing, and nobody is there to be asked: give it")]
    NotGiven { flag: &'static str },
    #[error(
        "standard input is empty, and nothing was changed: `--file /dev/null` empties the memory"
    )]
    EmptyInput,
    #[error("the server's answer has no `{field}`: is it of another version?")]
    Answer { field: &'static str },
    #[error("`{path}` cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error("`{path}` cannot be read: {reason}")]
    Unopened { path: PathBuf, reason: io::Error },
    #[error("`{path}` cannot be written: {reason}")]
    Unwritable { path: PathBuf, reason: io::Error },
    #[error("`{path}`: {reason}")]
    Document { path: PathBuf, reason: String },
    #[error("`{path}`: {fault}")]
    Hits { path: PathBuf, fault: OpenSearchFault },
    #[error("standard output cannot be written: {0}")]
    Output(#[from] io::Error),
    #[error("`{0}` is not installed: run `wiiiv models install {0}`")]
    NotInstalled(LocalModel),
    #[error(transparent)]
    LocalModel(#[from] LocalModelFault),
    #[error(transparent)]
    Start(#[from] crate::start_error::StartError),
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    #[error("no folder `{folder}` with scenarios: name theirs with `--folder`")]
    NoScenarioFolder { folder: PathBuf },
    #[error("no folder `{folder}` with conversations: name theirs")]
    NoConversationFolder { folder: PathBuf },
    #[error("no folder `{folder}` with a set: name one")]
    NoSetFolder { folder: PathBuf },
    #[error("the end by `--lasts` lies less than a minute behind the beginning by `--from`")]
    GrantWindow,
    #[error("`{path}` is there already: name another file, or say `--force`")]
    Exists { path: PathBuf },
    #[error("no scenario `{asked}` in `{folder}`: see `wiiiv ghost list`")]
    NoScenario { asked: String, folder: PathBuf },
    #[error(
        "no scenario chosen in `{folder}` has `provider: offline`: only these can be said otherwise"
    )]
    NothingSpoken { folder: PathBuf },
    #[error(
        "none of the chosen scenarios can be played in the mode `{mode}`: see `wiiiv ghost list`"
    )]
    NothingPlayed { mode: &'static str },
    #[error(
        "`--model`, `--slot` and `--policy` go with `--mode live`: no other mode asks a real model"
    )]
    NotLive,
    #[error("`{given}` is not like `OPENAI:gpt-4o-mini`: the providers are `{known}`")]
    LiveModel { given: String, known: String },
    #[error(
        "the slot `{slot}` of that project's policy has no provider's model: give it one there \
         (`wiiiv policy set`), or name one with `--model`"
    )]
    NoModelInSlot { slot: &'static str },
    #[error("`{base}` cannot be asked: {why}")]
    LiveBaseUrl { base: String, why: String },
    #[error(
        "the key that is kept goes to `{origin}`: give `--origin {origin}` if the new one belongs there, \
         or `--origin {own}`"
    )]
    KeptElsewhere { origin: String, own: String },
    #[error("`{provider}` has no address of its own: give `--base-url`")]
    NoBaseUrl { provider: &'static str },
    #[error(
        "the policy names `{base}`, and a key goes to no address that only a policy names: give \
         `--base-url {base}` if it belongs there"
    )]
    KeyForPolicy { base: String },
    #[error("`{provider}` answers nobody without a key: give `--key-file` or `--key-env`")]
    NoKey { provider: &'static str },
    #[error("the environment variable `{variable}` holds no key")]
    NoVariable { variable: String },
    #[error("`{path}` is there already, and no key is replaced: name another file")]
    RunnerKeyThere { path: PathBuf },
    #[error(
        "that server knows no runner key `{public}` in force: an administrator registers it with \
         `wiiiv ghost keys add NAME {public}`"
    )]
    RunnerKeyUnknown { public: String },
    #[error("no runner key `{name}` is in force: see `wiiiv ghost keys list`")]
    NoSuchRunnerKey { name: String },
    #[error("the run came to {verdict} and nothing was written: {why}")]
    NotRecorded { verdict: &'static str, why: String },
    #[error("`{to}` has not taken it: {reason}; run it again with the same `--resume`")]
    Undelivered { to: String, reason: String },
    #[error("{0}")]
    Feed(String),
    #[error(transparent)]
    Receiver(#[from] ReceiverRefused),
    #[error(transparent)]
    Play(#[from] PlayError),
}

impl Failure {
    pub fn exit(&self) -> Exit {
        match self {
            Self::Config(_) => Exit::Configuration,
            Self::Start(error) => error.exit(),
            Self::LocalModel(fault) => fault.exit(),
            Self::Secret(SecretError::Unreadable { .. }) => Exit::Usage,
            Self::Credentials(_) | Self::Secret(_) | Self::NotLoggedIn { .. } => {
                Exit::Authentication
            }
            Self::Unseen { .. } | Self::ForAnother { .. } => Exit::Approval,
            Self::Api(error)
            | Self::Change { error, .. }
            | Self::NotWaiting { error, .. }
            | Self::Absent { error, .. } => of_api(error),
            Self::Unwritable { reason, .. } => of_write(reason.kind()),
            Self::NoSuchProject { .. }
            | Self::NoSuchProfile { .. }
            | Self::WhichProject { .. }
            | Self::SeveralNamed { .. }
            | Self::NotOfProject
            | Self::OtherScope
            | Self::NoSuchId { .. }
            | Self::NoSuchDecision { .. }
            | Self::SeveralIds { .. }
            | Self::NoSession
            | Self::NoForm
            | Self::NoField { .. }
            | Self::OtherDigest { .. }
            | Self::NoDigest { .. }
            | Self::NoSuchUser { .. }
            | Self::NoSuchMember { .. }
            | Self::NoSuchAccount { .. }
            | Self::NoSuchProvider { .. }
            | Self::ProviderNotReady { .. }
            | Self::TitleOfOne
            | Self::NotGiven { .. }
            | Self::EmptyInput
            | Self::Unreadable { .. }
            | Self::Unopened { .. }
            | Self::Document { .. }
            | Self::Hits { .. }
            | Self::Scenario(_)
            | Self::NoScenarioFolder { .. }
            | Self::NoConversationFolder { .. }
            | Self::NoSetFolder { .. }
            | Self::NotInstalled(_)
            | Self::GrantWindow
            | Self::Exists { .. }
            | Self::NoScenario { .. }
            | Self::NothingSpoken { .. }
            | Self::NotLive
            | Self::LiveModel { .. }
            | Self::NoModelInSlot { .. }
            | Self::LiveBaseUrl { .. }
            | Self::KeptElsewhere { .. }
            | Self::NoBaseUrl { .. }
            | Self::KeyForPolicy { .. }
            | Self::NoKey { .. }
            | Self::NoVariable { .. }
            | Self::RunnerKeyThere { .. }
            | Self::RunnerKeyUnknown { .. }
            | Self::NoSuchRunnerKey { .. }
            | Self::Receiver(_)
            | Self::NothingPlayed { .. } => Exit::Usage,
            Self::Answer { .. }
            | Self::Undelivered { .. }
            | Self::Feed(_)
            | Self::Output(_)
            | Self::NotRecorded { .. }
            | Self::Play(_) => Exit::CheckFailed,
        }
    }

    /// Whoever read our output has heard enough.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub fn problem(&self) -> Option<&Problem> {
        let (Self::Api(error)
        | Self::Change { error, .. }
        | Self::NotWaiting { error, .. }
        | Self::Absent { error, .. }) = self
        else {
            return None;
        };
        if let ApiError::Problem(problem) = error { Some(problem) } else { None }
    }

    /// Of a change that was refused: by what its reader sees how it is now.
    pub fn shown_by(&self) -> Option<&str> {
        if let Self::Change { show, .. } = self { Some(show) } else { None }
    }

    /// Of a change of what that command shows.
    pub fn changing(show: String) -> impl FnOnce(ApiError) -> Self {
        move |error| match error {
            ApiError::Problem(_) => Self::Change { error, show },
            other => Self::Api(other),
        }
    }

    /// Of an answer to a change that does not wait; another failure stays as it is.
    pub fn of_waiting(change: u64, waits: &[u64]) -> impl FnOnce(Self) -> Self {
        let is_there = waits.contains(&change);
        let known = waits.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
        move |failure| match failure {
            Self::Change { error: ApiError::Problem(problem), show }
                if !is_there && problem.code == ProblemCode::NotFound.as_str() =>
            {
                Self::NotWaiting { error: ApiError::Problem(problem), show, change, known }
            }
            other => other,
        }
    }

    /// Of a request for that; another failure stays as it is.
    pub fn of_absent(of: Absent) -> impl FnOnce(Self) -> Self {
        move |failure| match failure {
            Self::Api(ApiError::Problem(problem))
                if problem.code == ProblemCode::NotFound.as_str() =>
            {
                Self::Absent { error: ApiError::Problem(problem), of }
            }
            other => other,
        }
    }

    /// That the server answered with, where it refused.
    pub fn status(&self) -> Option<u16> {
        self.problem().map(|problem| problem.status)
    }

    pub fn unreadable(path: &Path) -> impl Fn(io::Error) -> Self {
        move |reason| Self::Unopened { path: path.to_owned(), reason }
    }

    pub fn unwritable(path: &Path) -> impl Fn(io::Error) -> Self {
        move |reason| Self::Unwritable { path: path.to_owned(), reason }
    }
}

/// As the server would refuse it, before it is asked.
impl From<wiiiv_server::Problem> for Failure {
    fn from(problem: wiiiv_server::Problem) -> Self {
        let code = problem.code();
        Self::Api(ApiError::Problem(Box::new(Problem {
            status: code.status().as_u16(),
            code: code.as_str().to_owned(),
            title: code.english().0.to_owned(),
            detail: None,
            suggestion: None,
            params: problem.params().clone(),
            trace_id: None,
        })))
    }
}

/// A file that cannot be written was named wrongly, unless there is no space left for it.
fn of_write(kind: io::ErrorKind) -> Exit {
    use io::ErrorKind::{QuotaExceeded, StorageFull, WriteZero};
    let is_full = matches!(kind, StorageFull | QuotaExceeded | WriteZero);
    if is_full { Exit::CheckFailed } else { Exit::Usage }
}

fn of_api(error: &ApiError) -> Exit {
    match error {
        ApiError::Problem(problem) => of_problem(problem),
        ApiError::Unreachable { .. }
        | ApiError::Timeout { .. }
        | ApiError::Interrupted { .. }
        | ApiError::Client(_) => Exit::Unreachable,
        ApiError::Address(_) | ApiError::Path { .. } | ApiError::Header(_) => Exit::Usage,
        ApiError::TooLarge { .. } | ApiError::NotJson { .. } | ApiError::Events { .. } => {
            Exit::CheckFailed
        }
    }
}

/// Codes that say more than their status.
const CODES: [(ProblemCode, Exit); 5] = [
    (ProblemCode::ApprovalExpired, Exit::TooLate),
    (ProblemCode::ApprovalDecided, Exit::TooLate),
    (ProblemCode::ApprovalStale, Exit::TooLate),
    // It waits for other people.
    (ProblemCode::ApprovalAlreadyGiven, Exit::Approval),
    // It lies beside the server's own: nothing that was typed is wrong.
    (ProblemCode::NextKeyRefused, Exit::CheckFailed),
];

/// What the server's status says of a command. Of every other one nothing is wrong with what was typed, such as
/// of a conflict with what is there by now.
const STATUSES: [(u16, Exit); 8] = [
    // What was typed, or a file that was named, holds what is not taken, or names nothing that is there.
    (400, Exit::Usage),
    (404, Exit::Usage),
    (413, Exit::Usage),
    (415, Exit::Usage),
    (422, Exit::Usage),
    (401, Exit::Authentication),
    (403, Exit::Denied),
    (503, Exit::Unreachable),
];

fn of_problem(problem: &Problem) -> Exit {
    let by_code = CODES.iter().find(|(code, _)| code.as_str() == problem.code);
    let by_status = || STATUSES.iter().find(|(status, _)| *status == problem.status);
    let exit = by_code.map(|(_, exit)| *exit).or_else(|| by_status().map(|(_, exit)| *exit));
    exit.unwrap_or(Exit::CheckFailed)
}

#[cfg(test)]
mod tests {
    use super::{Exit, Failure, of_problem};
    use serde_json::Map;
    use wiiiv_net::Problem;
    use wiiiv_server::ProblemCode;

    fn exit_of(code: ProblemCode) -> Exit {
        of_problem(&Problem {
            status: code.status().as_u16(),
            code: code.as_str().to_owned(),
            title: String::new(),
            detail: None,
            suggestion: None,
            params: Map::new(),
            trace_id: None,
        })
    }

    #[test]
    fn a_refusal_ends_with_the_code_that_the_table_gives() {
        for (exit, codes) in [
            (
                Exit::Usage,
                &[
                    ProblemCode::InvalidJson,
                    ProblemCode::InvalidQuery,
                    ProblemCode::InvalidField,
                    ProblemCode::InvalidPolicy,
                    ProblemCode::StageNotEdited,
                    ProblemCode::OverrideUnchanged,
                    ProblemCode::BodyTooLarge,
                    ProblemCode::NotFound,
                ][..],
            ),
            (Exit::Authentication, &[ProblemCode::Unauthenticated, ProblemCode::WrongCredentials]),
            (Exit::Denied, &[ProblemCode::Forbidden, ProblemCode::ApprovalOfOwn]),
            (Exit::Approval, &[ProblemCode::ApprovalAlreadyGiven]),
            (
                Exit::TooLate,
                &[
                    ProblemCode::ApprovalExpired,
                    ProblemCode::ApprovalDecided,
                    ProblemCode::ApprovalStale,
                ],
            ),
            (Exit::Unreachable, &[ProblemCode::Unavailable]),
            (
                Exit::CheckFailed,
                &[
                    ProblemCode::NameTaken,
                    ProblemCode::VersionChanged,
                    ProblemCode::PromotionRefused,
                    ProblemCode::NextKeyRefused,
                    ProblemCode::TooManyLogins,
                    ProblemCode::Internal,
                ],
            ),
        ] {
            for code in codes {
                assert_eq!(exit_of(*code), exit, "{code:?}");
            }
        }
    }

    #[test]
    fn a_file_that_was_named_is_wrong_to_read_or_to_write() {
        let nowhere = std::path::Path::new("nowhere");
        let error = || std::io::Error::from(std::io::ErrorKind::NotFound);
        assert_eq!(Failure::unreadable(nowhere)(error()).exit(), Exit::Usage);
        assert_eq!(Failure::unwritable(nowhere)(error()).exit(), Exit::Usage);
    }

    #[test]
    fn a_disk_without_space_is_no_mistake_of_whoever_named_the_file() {
        use std::io::ErrorKind;
        let exit = |kind: ErrorKind| {
            let file = std::path::Path::new("export.jsonl");
            Failure::unwritable(file)(std::io::Error::from(kind)).exit()
        };
        for full in [ErrorKind::StorageFull, ErrorKind::QuotaExceeded, ErrorKind::WriteZero] {
            assert_eq!(exit(full), Exit::CheckFailed, "{full:?}");
        }
        for wrong in [ErrorKind::PermissionDenied, ErrorKind::IsADirectory, ErrorKind::NotFound] {
            assert_eq!(exit(wrong), Exit::Usage, "{wrong:?}");
        }
    }
}
