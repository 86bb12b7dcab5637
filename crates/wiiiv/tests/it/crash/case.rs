//! One point, one server that ends there, and the next one on the same folder.

use super::holds;
use crate::host::{Client, Host, text, until};
use serde_json::{Value, json};
use wiiiv_fakes::Shop;
use wiiiv_net::ApiError;

#[derive(Clone, Copy)]
pub enum Task {
    Order,
    SavedOrder,
    Report,
}

impl Task {
    fn words(self, shop: &Shop) -> String {
        match self {
            Self::Order => format!("POST '{{\"sku\":\"A1\"}}' to {}/orders", shop.url()),
            Self::SavedOrder => {
                let order = Self::Order.words(shop);
                format!("{order} and save the answer to r.json")
            }
            Self::Report => {
                format!("get {}/items, keep only name and price, and save it to r.json", shop.url())
            }
        }
    }
    fn calls(self, shop: &Shop) -> usize {
        match self {
            Self::Order | Self::SavedOrder => shop.count("POST", "/orders"),
            Self::Report => shop.count("GET", "/items"),
        }
    }
}

/// A person's word on a step in doubt.
#[derive(Clone, Copy)]
pub enum Word {
    Happened,
    DidNotHappen,
    Abandon,
}

impl Word {
    const fn name(self) -> &'static str {
        match self {
            Self::Happened => "happened",
            Self::DidNotHappen => "did_not_happen",
            Self::Abandon => "abandon",
        }
    }
    /// How the run ends with it.
    const fn end(self) -> &'static str {
        match self {
            Self::Happened => "succeeded",
            Self::DidNotHappen | Self::Abandon => "failed",
        }
    }
}

/// What the next process makes of it, by itself.
#[derive(Clone, Copy)]
pub enum Then {
    /// Nothing was acknowledged, and nothing is there.
    Unheard,
    /// The turn has ended, and its person knows that it came to nothing.
    Told,
    /// The question waits.
    Pending,
    Finished,
    /// One step may or may not have happened: a person says.
    InDoubt(Word),
}

impl Then {
    const fn state(self) -> &'static str {
        match self {
            Self::Unheard => "unheard",
            Self::Told => "error",
            Self::Pending => "pending",
            Self::Finished => "succeeded",
            Self::InDoubt(_) => "indeterminate",
        }
    }
}

#[derive(Clone, Copy)]
pub struct Case {
    pub fault: &'static str,
    then: Then,
    /// Calls that had reached the shop when the process ended.
    sent: usize,
    /// Calls in all, when everything is over.
    ends: usize,
    /// Model calls whose use nobody knows.
    healed: usize,
}

impl Case {
    pub const fn at(fault: &'static str, then: Then) -> Self {
        Self { fault, then, sent: 0, ends: 0, healed: 0 }
    }
    pub const fn sent(self, sent: usize) -> Self {
        Self { sent, ..self }
    }
    pub const fn ends(self, ends: usize) -> Self {
        Self { ends, ..self }
    }
    pub const fn healed(self, healed: usize) -> Self {
        Self { healed, ..self }
    }

    pub async fn run(self, task: Task) {
        let fault = self.fault;
        let mut host = Host::start(Some(fault)).await;
        let session = host.client().session().await.unwrap();
        // Whether it was answered depends on where the process ends.
        let _cut = ask_and_approve(&host.client(), &session, &task.words(&host.shop)).await;
        host.aborted_at(fault).await;
        holds::audit_is_whole(fault, &host.data()).await;
        let sent = task.calls(&host.shop);
        assert_eq!(sent, self.sent, "{fault}: calls when the process ended");

        let mut host = host.again().await;
        let found = place(&host.client(), &session).await;
        assert_eq!(found, self.then.state(), "{fault}: what the next process made of it");
        let end = match self.then {
            Then::Unheard | Then::Told | Then::Finished => found.clone(),
            Then::Pending => {
                let client = host.client();
                client.approve(&client.questions("pending").await.unwrap()[0]).await.unwrap();
                text(&client.over(&session).await.unwrap(), "state")
            }
            Then::InDoubt(word) => {
                host.kill().await;
                host = host.again().await;
                assert_eq!(place(&host.client(), &session).await, "indeterminate", "{fault}");
                let ends = host.client().records("execution.finished").await.unwrap();
                assert_eq!(ends.len(), 1, "{fault}: a start changes nothing for it: {ends:?}");
                resolve(&host.client(), word).await
            }
        };
        self.check(&mut host, task, &session).await;
        let calls = task.calls(&host.shop);
        println!("{fault}: reached, {sent} sent; {found}; {end}, {calls} calls in all");
        assert_eq!(calls, self.ends, "{fault}: calls in all");
    }

    /// What holds whatever happened.
    async fn check(self, host: &mut Host, task: Task, session: &str) {
        let (fault, client) = (self.fault, host.client());
        match (task, self.then) {
            (Task::Report, Then::Pending | Then::Finished) => {
                assert_saved(fault, host.file("r.json"));
            }
            (Task::SavedOrder, Then::Finished) => {
                let saved = host.file("r.json").expect("the file");
                assert!(saved.contains("\"order\""), "{fault}: {saved}");
            }
            (Task::SavedOrder, _) => assert_eq!(host.file("r.json"), None, "{fault}"),
            (Task::Order | Task::Report, _) => {}
        }
        until("healed call", async || {
            let healed = client.records("call.healed").await.unwrap();
            (healed.len() >= self.healed).then_some(())
        })
        .await;
        // The session is of use again.
        client.say(session, "write 'x' to after.txt").await.unwrap();
        client.asked(session).await.unwrap();
        let healed = client.records("call.healed").await.unwrap();
        assert_eq!(healed.len(), self.healed, "{fault}: {healed:?}");
        let tasks = tasks(&client).await;
        client.verified().await;
        host.stop().await;
        let data = host.data();
        holds::audit_is_whole(fault, &data).await;
        let of = (data.as_path(), client.project(), tasks.as_slice());
        holds::none_is_left(fault, of).await;
    }
}

pub async fn ask_and_approve(client: &Client, session: &str, words: &str) -> Result<(), ApiError> {
    client.say(session, words).await?;
    let asked = until("question", async || match client.questions("pending").await {
        Ok(questions) => questions.into_iter().next().map(Ok),
        Err(error) => Some(Err(error)),
    });
    client.approve(&asked.await?).await?;
    Ok(())
}

/// Where it came to rest. Only the store is asked: nothing is woken up by the question.
async fn place(client: &Client, session: &str) -> String {
    until("place of rest", async || {
        let history = client.history(session).await.unwrap();
        if history.is_empty() {
            return Some("unheard".to_owned());
        }
        if let Some(run) = client.executions().await.unwrap().first() {
            return (run["state"] != "running").then(|| text(run, "state"));
        }
        if !client.questions("approved").await.unwrap().is_empty() {
            return None;
        }
        if !client.questions("pending").await.unwrap().is_empty() {
            return Some("pending".to_owned());
        }
        let ended = history.last().filter(|last| last["event"] == "ended");
        ended.map(|last| text(last, "outcome"))
    })
    .await
}

async fn resolve(client: &Client, word: Word) -> String {
    let run = text(&client.executions().await.unwrap()[0], "id");
    let detail = client.get(&format!("/executions/{run}")).await.unwrap();
    assert_eq!(detail["attempts"][0]["in_doubt"], true, "{detail}");
    let path = format!("/executions/{run}/steps/call/resolve");
    let said = json!({ "as": word.name() });
    client.post(&path, said).await.unwrap();
    let end = until("end of the run", async || {
        let run = client.get(&format!("/executions/{run}")).await.unwrap();
        let over = run["state"] != "running" && run["state"] != "indeterminate";
        over.then(|| text(&run, "state"))
    });
    let end = end.await;
    assert_eq!(end, word.end(), "resolved as `{}`", word.name());
    end
}

fn assert_saved(fault: &str, saved: Option<String>) {
    let saved: Value = serde_json::from_str(&saved.expect("the file")).unwrap();
    let rows = saved.as_array().unwrap();
    assert_eq!(rows.len(), 5, "{fault}: {saved}");
    assert_eq!(rows[0], json!({ "name": "Notebook", "price": 1_290_000 }), "{fault}");
}

/// Of every plan that there was.
pub async fn tasks(client: &Client) -> Vec<String> {
    let mut tasks = Vec::new();
    for plan in client.plans().await.unwrap() {
        let path = format!("/blueprints/{}", text(&plan, "id"));
        tasks.push(text(&client.get(&path).await.unwrap()["document"], "task"));
    }
    tasks
}
