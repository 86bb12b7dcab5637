//! A governor with a shop, a project and its owner, and what a client sees of a turn.

use std::time::Duration;
use wiiiv_domain::{
    EventBody, ProjectId, ProjectPolicy, SessionEvent, SessionId, Timestamp, TurnId,
};
use wiiiv_fakes::Shop;
use wiiiv_gate::Principal;
use wiiiv_governor::{Governor, Incoming, Live, PolicyChangeError, SubmitError};
use wiiiv_store::{Store, UsageFilter, UsageSums};
pub use wiiiv_testkit::{Person, Setup, now, policy};

/// A turn that has not ended by then never will.
const PATIENCE: Duration = Duration::from_secs(30);

pub struct TestGovernor {
    pub governor: Governor,
    pub shop: Shop,
    pub project: ProjectId,
    pub owner: Person,
    setup: Setup,
}

impl TestGovernor {
    pub async fn new() -> Self {
        Self::with(Setup::default()).await
    }

    pub async fn with(setup: Setup) -> Self {
        Self::under(setup, |_| {}).await
    }

    /// Its project begins with this policy.
    pub async fn under(setup: Setup, change: impl FnOnce(&mut ProjectPolicy)) -> Self {
        let governor = setup.start().await;
        let shop = Shop::open(0).await.unwrap();
        let mut first = policy(&shop);
        change(&mut first);
        let (project, owner) = person(governor.store(), "owner", first).await;
        Self { governor, shop, project, owner, setup }
    }

    /// The same after a stop: everything comes from the files.
    pub async fn restarted(self) -> Self {
        let setup = self.setup.clone();
        self.restarted_with(setup).await
    }

    /// The same with another configuration, over the same folder.
    pub async fn restarted_with(self, setup: Setup) -> Self {
        self.governor.shutdown().await;
        let Self { governor, shop, project, owner, .. } = self;
        drop(governor);
        let governor = setup.start().await;
        governor.recover().await.unwrap();
        Self { governor, shop, project, owner, setup }
    }

    pub async fn principal(&self, who: &Person) -> Principal {
        let store = self.governor.store();
        store.authenticate(&who.token, Some(self.project), now()).await.unwrap()
    }

    pub async fn session(&self) -> SessionId {
        let who = self.principal(&self.owner).await;
        let store = self.governor.store();
        store.create_session(self.project, who.user(), "test", now()).await.unwrap().id
    }

    /// By somebody who has everything that was journalled so far on the screen.
    pub async fn send(&self, session: SessionId, text: &str) -> Result<TurnId, SubmitError> {
        let seen = self.newest(session).await;
        self.send_having_seen(session, text, Some(seen)).await
    }

    /// The number of the last event.
    pub async fn newest(&self, session: SessionId) -> u64 {
        self.governor.store().next_seq(session).await.unwrap() - 1
    }

    pub async fn send_having_seen(
        &self,
        session: SessionId,
        text: &str,
        seen: Option<u64>,
    ) -> Result<TurnId, SubmitError> {
        let who = self.principal(&self.owner).await;
        let words = Incoming::words(text.to_owned(), None).seen(seen);
        self.governor.submit(&who, session, words).await
    }

    /// Says it and waits for the end of the turn.
    pub async fn say(&self, session: SessionId, text: &str) -> SeenTurn {
        self.say_within(session, text, PATIENCE).await
    }

    pub async fn say_within(&self, session: SessionId, text: &str, patience: Duration) -> SeenTurn {
        let mut told = self.governor.subscribe(session, None).await.unwrap();
        let turn = self.send(session, text).await.unwrap();
        let mut events = Vec::new();
        let end = async {
            loop {
                let Live::Journalled(row) = told.next().await.unwrap() else { continue };
                if row.event.turn != turn {
                    continue;
                }
                events.push(row.event.as_ref().clone());
                if let EventBody::TurnEnded { outcome } = &row.event.body {
                    return outcome.clone();
                }
            }
        };
        let outcome = tokio::time::timeout(patience, end).await.expect("the turn must end");
        SeenTurn { outcome, events }
    }

    /// Waits until the turn has ended, also one that a button began.
    pub async fn ended(&self, session: SessionId, turn: TurnId) -> SeenTurn {
        let mut told = self.governor.subscribe(session, Some(0)).await.unwrap();
        let mut events: Vec<SessionEvent> = Vec::new();
        let ends = |event: &SessionEvent| match &event.body {
            EventBody::TurnEnded { outcome } => Some(outcome.clone()),
            _ => None,
        };
        let end = async {
            loop {
                if let Some(outcome) = events.iter().find_map(ends) {
                    return outcome;
                }
                if let Live::Journalled(row) = told.next().await.unwrap()
                    && row.event.turn == turn
                {
                    events.push(row.event.as_ref().clone());
                }
            }
        };
        let outcome = tokio::time::timeout(PATIENCE, end).await.expect("the turn must end");
        SeenTurn { outcome, events }
    }

    pub fn file(&self, path: &str) -> Option<String> {
        let project = self.setup.folder.path().join("workspaces").join(self.project.to_string());
        std::fs::read_to_string(project.join(path)).ok()
    }

    /// Every file of the workspace, by its path.
    pub fn files(&self) -> std::collections::BTreeMap<String, String> {
        let root = self.setup.folder.path().join("workspaces").join(self.project.to_string());
        let (mut folders, mut found) = (vec![root.clone()], std::collections::BTreeMap::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let name = path.strip_prefix(&root).unwrap().display().to_string();
                    let bytes = std::fs::read(&path).unwrap_or_default();
                    found.insert(name, String::from_utf8_lossy(&bytes).into_owned());
                }
            }
        }
        found
    }

    /// As it stood there before anybody asked.
    pub fn put(&self, path: &str, bytes: &[u8]) {
        let project = self.setup.folder.path().join("workspaces").join(self.project.to_string());
        std::fs::create_dir_all(&project).unwrap();
        std::fs::write(project.join(path), bytes).unwrap();
    }

    /// A second connection, as somebody with the file has it.
    pub async fn intruder(&self) -> sea_orm::DatabaseConnection {
        let url = format!("sqlite:{}?mode=rw", self.setup.folder.path().join("wiiiv.db").display());
        sea_orm::Database::connect(url).await.unwrap()
    }

    /// Everything that lies on disk: database, log ahead of it, workspaces.
    pub fn stored(&self) -> Vec<u8> {
        let (mut folders, mut bytes) = (vec![self.setup.folder.path().to_owned()], Vec::new());
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    bytes.extend(std::fs::read(path).unwrap_or_default());
                }
            }
        }
        bytes
    }

    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.shop.url())
    }

    /// Of all calls of the project.
    pub async fn used(&self) -> UsageSums {
        let filter = UsageFilter {
            project: self.project,
            user: None,
            from: Timestamp::from_unix_ms(0),
            until: Timestamp::from_unix_ms(i64::MAX),
        };
        self.governor.store().usage(&filter, &[]).await.unwrap().total
    }

    /// A new version of the project's policy.
    pub async fn change_policy(&self, change: impl FnOnce(&mut ProjectPolicy)) {
        self.try_policy(change).await.unwrap();
    }

    pub async fn try_policy(
        &self,
        change: impl FnOnce(&mut ProjectPolicy),
    ) -> Result<(), PolicyChangeError> {
        let who = self.principal(&self.owner).await;
        let current = self.governor.store().policy(self.project).await.unwrap();
        let document = current.body().document().clone();
        let mut policy = document.policy.clone();
        change(&mut policy);
        let reason = "test".to_owned();
        let set =
            self.governor.policies().set(&who, self.project, document.id, policy, reason).await;
        set.map(drop)
    }
}

pub async fn person(store: &Store, name: &str, policy: ProjectPolicy) -> (ProjectId, Person) {
    let person = wiiiv_testkit::person(store, name, false, policy).await;
    (person.personal, person)
}

/// One turn as its client saw it.
pub struct SeenTurn {
    pub outcome: String,
    pub events: Vec<SessionEvent>,
}

impl SeenTurn {
    /// Every text that was shown.
    pub fn text(&self) -> String {
        let texts = self.events.iter().filter_map(|event| match &event.body {
            EventBody::Replied { text, .. }
            | EventBody::Asked { text, .. }
            | EventBody::Previewed { text, .. } => Some(text.as_str()),
            _ => None,
        });
        texts.collect::<Vec<_>>().join("\n")
    }
    pub fn asked(&self) -> Option<(wiiiv_domain::ApprovalId, wiiiv_domain::BlueprintDigest)> {
        self.events.iter().find_map(|event| match &event.body {
            EventBody::Previewed { approval, digest, .. } => Some((*approval, *digest)),
            _ => None,
        })
    }
}
