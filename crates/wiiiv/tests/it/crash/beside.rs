//! A decision beside a turn in progress when the process ends: it is on record as a whole or not at all, that turn is
//! told what became of it, and what follows of the decision follows once.

use super::{edited, holds};
use crate::host::{Client, Host, text, until};
use serde_json::{Value, json};
use wiiiv_fakes::{FakeModel, ModelMode};
use wiiiv_net::ApiError;

const FILE: &str = "b.txt";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    Edit,
    /// A yes that another one has to join.
    Join,
}

impl Answer {
    /// Its own record.
    const fn kind(self) -> &'static str {
        match self {
            Self::Yes => "approval.given",
            Self::No => "approval.rejected",
            Self::Edit => "approval.edited",
            Self::Join => "approval.joined",
        }
    }

    /// Of the question, when the turn that was in progress is over.
    const fn state(self) -> &'static str {
        match self {
            Self::Yes => "consumed",
            Self::No => "rejected",
            Self::Edit => "edited",
            Self::Join => "pending",
        }
    }

    const fn approvers(self) -> u8 {
        match self {
            Self::Yes | Self::No | Self::Edit => 1,
            Self::Join => 2,
        }
    }

    /// Of the file, when everything is over.
    const fn content(self) -> Option<&'static str> {
        match self {
            Self::Yes | Self::Join => Some("x"),
            Self::No => None,
            Self::Edit => Some("y"),
        }
    }

    async fn give(self, who: &Client, question: &Value) -> Result<(), ApiError> {
        match self {
            Self::Yes | Self::Join => who.approve(question).await.map(drop),
            Self::No => {
                let path = format!("/approvals/{}/reject", text(question, "id"));
                let no = json!({ "digest": question["digest"], "reason": "not today" });
                who.post(&path, no).await.map(drop)
            }
            Self::Edit => edited::edit(who, question).await.map(drop),
        }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Cut {
    answer: Answer,
    pub fault: &'static str,
    /// The next process finds the decision.
    is_found: bool,
    /// The message that the turn in progress began with was never answered.
    is_unanswered: bool,
}

/// E by E: the two policies, the decision. It ends no turn but its own: the first T2 is the end of the turn in
/// progress, or behind a no what that turn says of it. An edit is reviewed in that turn, which ends with its
/// question: the second T1.
pub const SHORT: [Cut; 1] = [Cut::found(Answer::Yes, "E:after:3")];
pub const LONG: [Cut; 17] = [
    Cut::lost(Answer::Yes, "E:before:3"),
    Cut::found(Answer::Yes, "T2:before:1").answered(),
    Cut::found(Answer::Yes, "T2:after:1").answered(),
    Cut::lost(Answer::No, "E:before:3"),
    Cut::found(Answer::No, "E:after:3"),
    Cut::found(Answer::No, "T2:before:1"),
    Cut::found(Answer::No, "T2:after:1"),
    Cut::found(Answer::No, "T2:before:2"),
    Cut::found(Answer::No, "T2:after:2").answered(),
    Cut::lost(Answer::Edit, "E:before:3"),
    Cut::found(Answer::Edit, "E:after:3"),
    Cut::found(Answer::Edit, "T1:before:2"),
    Cut::found(Answer::Edit, "T1:after:2").answered(),
    Cut::lost(Answer::Join, "E:before:3"),
    Cut::found(Answer::Join, "E:after:3"),
    Cut::found(Answer::Join, "T2:before:1"),
    Cut::found(Answer::Join, "T2:after:1").answered(),
];

/// A plan waits for others, and what its requester said behind it waits for the model.
struct AtWork {
    session: String,
    question: Value,
    /// In progress.
    turn: String,
    people: [Client; 2],
}

impl AtWork {
    async fn begin(client: &Client, model: &FakeModel, answer: Answer) -> Self {
        let approvers = answer.approvers();
        let rule = json!({ "by": "another_person", "approvers": approvers, "ttlSeconds": 600 });
        client.change_policy(|policy| policy["approval"]["normal"] = rule).await;
        let min = client.member("min", "approver").await;
        let han = client.member("han", "approver").await;
        let session = client.session().await.unwrap();
        client.say(&session, "write 'x' to b.txt").await.unwrap();
        let question = client.asked(&session).await.unwrap();
        model.set_mode(ModelMode::Silent);
        let turn = client.say(&session, "hello").await.unwrap();
        until("call of the model", async || (model.open_streams() == 1).then_some(())).await;
        Self { session, question, turn, people: [min, han] }
    }
}

/// How often a conversation says that this turn ended.
fn ends(history: &[Value], turn: &str) -> usize {
    let ends = |event: &&Value| event["event"] == "ended" && event["turn"] == turn;
    history.iter().filter(ends).count()
}

impl Cut {
    const fn lost(answer: Answer, fault: &'static str) -> Self {
        Self { answer, fault, is_found: false, is_unanswered: true }
    }

    const fn found(answer: Answer, fault: &'static str) -> Self {
        Self { is_found: true, ..Self::lost(answer, fault) }
    }

    const fn answered(self) -> Self {
        Self { is_unanswered: false, ..self }
    }

    pub const fn flow(self) -> &'static str {
        match self.answer {
            Answer::Yes => "yes beside a turn",
            Answer::No => "no beside a turn",
            Answer::Edit => "edit beside a turn",
            Answer::Join => "yes of several beside a turn",
        }
    }

    pub async fn run(self) {
        let slots = json!({ "targetPath": FILE, "content": "x" });
        let write = json!({
            "action": "EXECUTE", "taskType": "FILE_WRITE", "message": "", "slots": slots,
            "taskSwitch": { "kind": "new" },
        });
        let model = FakeModel::spawn(ModelMode::Script(vec![write.to_string()])).await.unwrap();
        let mut host = Host::counted(self.fault, &model).await;
        let at = AtWork::begin(&host.client(), &model, self.answer).await;
        // Whether it is answered depends on where the process ends.
        let _cut = self.answer.give(&at.people[0], &at.question).await;
        // Without its model the turn in progress comes to its end.
        drop(model);
        host.aborted_at(self.fault).await;
        holds::audit_is_whole(self.fault, &host.data()).await;

        let mut host = host.again().await;
        let client = host.client();
        let [min, han] = at.people.each_ref().map(|one| host.client_of(one));
        self.is_whole(&client, &at).await;
        // Once more: taken where it was lost, and refused where it was not.
        let again = self.answer.give(&min, &at.question).await;
        assert_eq!(again.is_err(), self.is_found, "{self:?}: {again:?}");
        if matches!(self.answer, Answer::Edit | Answer::Join) {
            assert_eq!(host.file(FILE), None, "{self:?}: somebody else has to say yes");
        }
        self.goes_on(&client, &han, &at).await;
        assert_eq!(host.file(FILE).as_deref(), self.answer.content(), "{self:?}");
        holds::is_verified(self.fault, &mut host).await;
    }

    /// The decision is there with its turn and its record, once, or nothing of it is; and the turn in progress
    /// has ended, with an answer or with the word that there is none.
    async fn is_whole(self, client: &Client, at: &AtWork) {
        let history = until("end of the turn in progress", async || {
            let history = client.history(&at.session).await.unwrap();
            (ends(&history, &at.turn) > 0).then_some(history)
        });
        let history = history.await;
        assert_eq!(ends(&history, &at.turn), 1, "{self:?}: {history:?}");
        let times = usize::from(self.is_found);
        let (id, state) = (text(&at.question, "id"), self.answer.state());
        let row = client.get(&format!("/approvals/{id}")).await.unwrap();
        let due = if self.is_found { state } else { "pending" };
        assert_eq!(text(&row, "state"), due, "{self:?}: {row}");
        if self.answer == Answer::Join {
            assert_eq!(row["given"], times, "{self:?}: {row}");
        }
        let decides = |event: &&Value| event["decision"]["approval"] == id.as_str();
        let own: Vec<_> = history.iter().filter(decides).map(|event| text(event, "turn")).collect();
        assert_eq!(own.len(), times, "{self:?}: {history:?}");
        for turn in &own {
            assert_ne!(*turn, at.turn, "{self:?}");
            assert_eq!(ends(&history, turn), 1, "{self:?}: {history:?}");
        }
        let records = client.records(self.answer.kind()).await.unwrap();
        assert_eq!(records.len(), times, "{self:?}: {records:?}");
        if self.is_unanswered {
            let tells = |event: &Value| {
                event["reply"] == "model_failed" && event["turn"] == at.turn.as_str()
            };
            assert!(history.iter().any(tells), "{self:?}: {history:?}");
        }
    }

    /// Whoever is still missing says yes, and the plan is executed once, or never where it was rejected.
    async fn goes_on(self, client: &Client, han: &Client, at: &AtWork) {
        match self.answer {
            Answer::Yes | Answer::No => {}
            Answer::Edit => {
                let new = edited::other(client, &at.session, &at.question).await.unwrap();
                han.approve(&new).await.unwrap();
            }
            Answer::Join => drop(han.approve(&at.question).await.unwrap()),
        }
        let runs = usize::from(self.answer.content().is_some());
        if runs > 0 {
            let run = client.over(&at.session).await.unwrap();
            assert_eq!(run["state"], "succeeded", "{self:?}: {run}");
            let run = client.get(&format!("/executions/{}", text(&run, "id"))).await.unwrap();
            assert_eq!(run["attempts"].as_array().unwrap().len(), 1, "{self:?}: {run}");
        }
        let all = client.executions().await.unwrap();
        assert_eq!(all.len(), runs, "{self:?}: {all:?}");
        for (kind, times) in
            [(self.answer.kind(), 1), ("approval.given", runs), ("execution.finished", runs)]
        {
            let records = until(kind, async || {
                let records = client.records(kind).await.unwrap();
                (records.len() >= times).then_some(records)
            });
            assert_eq!(records.await.len(), times, "{self:?}: {kind}");
        }
    }
}
