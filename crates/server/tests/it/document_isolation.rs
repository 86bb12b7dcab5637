//! Nobody is told of a document that they may not read: generated people, scopes and requests over REST, while files are
//! ingested and removed beside them.

use crate::{
    call::{Answer, TestRequest},
    documents::{ended, send},
    test_server::{Person, TestServer, token},
};
use futures::future::{join, join_all};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, AtomicU64, Ordering},
};
use uuid::Uuid;
use wiiiv_domain::Scope;
use wiiiv_store::{Role, TokenScope};
use wiiiv_testkit::default_profile;

const REQUESTS: u64 = 600;
const REQUESTS_LONG: u64 = 50_000;
const READERS: u64 = 4;
const WRITERS: u64 = 3;
/// Beside the owner and the administrator.
const PEOPLE: usize = 6;
/// Projects of several people.
const SHARED: usize = 3;
/// In each scope; no writer touches them.
const STEADY: usize = 2;
const WORDS: [&str; 5] = ["quokka", "예산", "서울에서", "getUserName", "deadline invoice"];
const ROLES: [Role; 3] = [Role::Editor, Role::Approver, Role::Viewer];

/// SplitMix64.
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 1).expect("64 bits") % end
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// A scope with documents that hold its secret: in the text, the title and the file's name.
struct ScopeDocuments {
    scope: Scope,
    /// Who may write there.
    keeper: usize,
    documents: Vec<String>,
    jobs: Vec<String>,
}

struct Reader {
    person: Person,
    /// The same person with a token that only looks.
    looking: Person,
    /// Their own scope.
    own: usize,
    readable: BTreeSet<usize>,
}

struct Generated {
    test: TestServer,
    people: Vec<Reader>,
    /// The first one is everybody's.
    places: Vec<ScopeDocuments>,
    sent: AtomicU64,
    /// Answers that told a secret to who may read it.
    told: AtomicU64,
}

/// No question holds it, so that no answer repeats it.
fn secret(place: usize) -> String {
    format!("zq{place:02}qz")
}

/// The places whose secrets stand there.
fn secrets(text: &str) -> impl Iterator<Item = usize> {
    text.split("zq").skip(1).filter_map(|behind| behind.get(..2)?.parse().ok())
}

/// How an address of an ingest names it.
fn at(scope: Scope) -> String {
    match scope {
        Scope::Global => "global".to_owned(),
        Scope::User(user) => format!("users/{user}"),
        Scope::Project(project) => format!("projects/{project}"),
    }
}

/// The same kind of scope, of which nothing is there; everybody's is always there.
fn missing(scope: Scope) -> Scope {
    match scope {
        Scope::Global => Scope::Global,
        Scope::User(_) => Scope::User(Uuid::now_v7().into()),
        Scope::Project(_) => Scope::Project(Uuid::now_v7().into()),
    }
}

async fn generated(draw: &mut Draw) -> Generated {
    let test = TestServer::new().await;
    let mut all = vec![test.admin.clone(), test.owner.clone()];
    for nth in 0..PEOPLE {
        all.push(test.person(&format!("person{nth}")).await);
    }
    let place =
        |scope, keeper| ScopeDocuments { scope, keeper, documents: Vec::new(), jobs: Vec::new() };
    let (mut people, mut places) = (Vec::new(), vec![place(Scope::Global, 0)]);
    for (nth, person) in all.into_iter().enumerate() {
        let own = places.len();
        places.push(place(Scope::User(person.user), nth));
        places.push(place(Scope::Project(person.personal), nth));
        let looks = token(test.store(), person.user, TokenScope::Read).await;
        let looking = Person { token: looks, ..person.clone() };
        let readable = BTreeSet::from([0, own, own + 1]);
        people.push(Reader { person, looking, own, readable });
    }
    for nth in 0..SHARED {
        let (keeper, at) = (draw.below(people.len()), places.len());
        let owner = people[keeper].person.user;
        let name = format!("shared{nth}");
        let made = test.store().create_project(&name, owner, default_profile()).await;
        let project = made.unwrap().body().document().project;
        places.push(place(Scope::Project(project), keeper));
        people[keeper].readable.insert(at);
        for (other, reader) in people.iter_mut().enumerate() {
            if other != keeper && draw.below(3) == 0 {
                let roles = BTreeSet::from([*draw.of(&ROLES)]);
                let user = reader.person.user;
                test.store().set_roles(project, user, roles, owner).await.unwrap();
                reader.readable.insert(at);
            }
        }
    }
    let (sent, told) = (AtomicU64::new(0), AtomicU64::new(0));
    let mut all = Generated { test, people, places, sent, told };
    for place in 0..all.places.len() {
        for nth in 0..STEADY {
            let (job, document) = all.ingest(place, &format!("steady-{nth}"), draw).await;
            all.places[place].jobs.push(job);
            all.places[place].documents.push(document);
        }
    }
    all
}

impl Generated {
    /// By its keeper, to its end: the job and its document.
    async fn ingest(&self, place: usize, name: &str, draw: &mut Draw) -> (String, String) {
        let ScopeDocuments { scope, keeper, .. } = &self.places[place];
        let (secret, keeper) = (secret(place), &self.people[*keeper].person);
        let word = draw.of(&WORDS);
        let text = format!(
            "# Quokka {secret}\n\nA {word} of mark{place:02}, {secret}.\n\n# {word}\n\nMore {secret}.\n"
        );
        let query = format!("name={secret}-{name}.md");
        let job = send(&self.test, (keeper, &at(*scope)), &query, text.as_bytes()).await;
        assert_eq!(job.status, 202, "{}", job.text);
        let job = ended(&self.test, keeper, job.body["id"].as_str().unwrap()).await;
        assert_eq!(job["state"], "ready", "{job}");
        let of = |name: &str| job[name].as_str().unwrap().to_owned();
        (of("id"), of("document"))
    }

    /// Puts documents in and takes them out until the readers are done; how many ingests that were.
    async fn write(&self, seed: u64, is_over: &AtomicBool) -> u64 {
        let (mut draw, mut ingests) = (Draw(1_000 + seed), 0);
        while !is_over.load(Ordering::Relaxed) {
            let place = draw.below(self.places.len());
            let keeper = &self.people[self.places[place].keeper].person;
            let (_, document) = self.ingest(place, &format!("racing-{seed}"), &mut draw).await;
            ingests += 1;
            if draw.below(2) == 0 {
                let path = format!("/rag/documents/{document}");
                let removed = TestRequest::new("DELETE", &path).by(&keeper.token);
                assert_eq!(self.test.status(removed).await, 204);
            }
        }
        ingests
    }

    /// How many secrets were told to somebody who may not read them.
    async fn read(&self, seed: u64, requests: u64) -> u64 {
        let (mut draw, mut crossed) = (Draw(seed), 0);
        while self.sent.load(Ordering::Relaxed) < requests {
            let place = draw.below(self.places.len());
            let reader = draw.of(&self.people);
            crossed += match draw.below(6) {
                0 | 1 => self.search(reader, place, &mut draw).await,
                2 => self.list(reader, place, &mut draw).await,
                3 => self.open(reader, place, &mut draw).await,
                4 => self.change(reader, place, &mut draw).await,
                _ => self.faulty(reader, place, &mut draw).await,
            };
        }
        crossed
    }

    async fn send(&self, asked: TestRequest) -> Answer {
        self.sent.fetch_add(1, Ordering::Relaxed);
        self.test.send(asked).await
    }

    fn crossed(&self, answer: &Answer, allowed: &BTreeSet<usize>) -> u64 {
        let (known, strays): (Vec<usize>, Vec<usize>) =
            secrets(&answer.text).partition(|place| allowed.contains(place));
        self.told.fetch_add(u64::from(!known.is_empty()), Ordering::Relaxed);
        u64::try_from(strays.len()).expect("few")
    }

    async fn search(&self, reader: &Reader, place: usize, draw: &mut Draw) -> u64 {
        let named = match self.places[place].scope {
            Scope::Project(project) if draw.below(4) > 0 => Some(project),
            Scope::Global | Scope::User(_) | Scope::Project(_) => None,
        };
        let text = match draw.below(3) {
            // Mostly another one's.
            0 => format!("mark{:02}", draw.below(self.places.len())),
            1 => "quokka".to_owned(),
            _ => (*draw.of(&WORDS)).to_owned(),
        };
        let format = draw.of(&[Value::Null, json!("debug"), json!("ranked")]).clone();
        let body = json!({
            "text": text, "project": named, "limit": 1 + draw.below(50), "format": format,
        });
        let people = [&reader.person, &reader.looking];
        let who = draw.of(&people);
        let asked = TestRequest::new("POST", "/rag/search").by(&who.token).json(&body);
        let found = self.send(asked).await;
        let is_there = named.is_none() || reader.readable.contains(&place);
        let due = if is_there { 200 } else { 404 };
        assert_eq!(found.status, due, "{place} of {:?}: {}", reader.readable, found.text);
        let mut allowed = BTreeSet::from([0, reader.own]);
        allowed.extend(named.filter(|_| is_there).map(|_| place));
        self.crossed(&found, &allowed)
    }

    async fn list(&self, reader: &Reader, place: usize, draw: &mut Draw) -> u64 {
        let scope = self.places[place].scope;
        let (list, limit) = (*draw.of(&["documents", "jobs"]), 1 + draw.below(100));
        let path = |scope: Scope| format!("/rag/{list}?scope={scope}&limit={limit}");
        let asked = ("GET", path(scope), Value::Null);
        self.like_missing(reader, place, (asked, ("GET", path(missing(scope)), Value::Null))).await
    }

    /// A document, its passages, what a citation opens, and the ingest.
    async fn open(&self, reader: &Reader, place: usize, draw: &mut Draw) -> u64 {
        let ScopeDocuments { documents, jobs, .. } = &self.places[place];
        let below = *draw.of(&["", "/passages", "/passages/0", "/passages/99"]);
        let (kind, id) = match draw.below(4) {
            0 => ("jobs", draw.of(jobs)),
            _ => ("documents", draw.of(documents)),
        };
        let below = if kind == "jobs" { "" } else { below };
        let path = |id: &str| format!("/rag/{kind}/{id}{below}");
        let absent = path(&Uuid::now_v7().to_string());
        let asked = (("GET", path(id), Value::Null), ("GET", absent, Value::Null));
        self.like_missing(reader, place, asked).await
    }

    /// Only where it comes to nothing: what somebody may write has a title that cannot be.
    async fn change(&self, reader: &Reader, place: usize, draw: &mut Draw) -> u64 {
        let ScopeDocuments { scope, documents, jobs, .. } = &self.places[place];
        let may = reader.readable.contains(&place);
        let kind = if may { 0 } else { draw.below(4) };
        let (method, path, absent) = match kind {
            0 => ("PATCH", format!("/rag/documents/{}", draw.of(documents)), "/rag/documents"),
            1 => ("DELETE", format!("/rag/documents/{}", draw.of(documents)), "/rag/documents"),
            2 => ("DELETE", format!("/rag/jobs/{}", draw.of(jobs)), "/rag/jobs"),
            _ => {
                let path = |scope| format!("/rag/{}/ingest?name=mine.md", at(scope));
                let (there, absent) = (path(*scope), path(missing(*scope)));
                let asked = (("POST", there, Value::Null), ("POST", absent, Value::Null));
                return self.like_missing(reader, place, asked).await;
            }
        };
        let (title, absent) = (json!({"title": ""}), format!("{absent}/{}", Uuid::now_v7()));
        let asked = ((method, path, title.clone()), (method, absent, title));
        self.like_missing(reader, place, asked).await
    }

    /// What is no request at all, about something that may be somebody else's.
    async fn faulty(&self, reader: &Reader, place: usize, draw: &mut Draw) -> u64 {
        let ScopeDocuments { scope, documents, .. } = &self.places[place];
        let document = draw.of(documents);
        let (method, path, body) = match draw.below(5) {
            0 => ("GET", format!("/rag/documents?scope={scope}&limit=0"), Value::Null),
            1 => ("GET", format!("/rag/documents/{document}/passages?limit=x"), Value::Null),
            2 => ("GET", format!("/rag/documents/{document}/passages/-1"), Value::Null),
            3 => {
                ("POST", "/rag/search".to_owned(), json!({"text": "x", "scope": scope.to_string()}))
            }
            _ => ("POST", format!("/rag/{}/ingest?name=a%2Fb.md", at(*scope)), Value::Null),
        };
        let asked = TestRequest::new(method, &path).by(&reader.person.token).json(&body);
        let refused = self.send(asked).await;
        assert!((400..500).contains(&refused.status), "{method} {path}: {}", refused.text);
        self.crossed(&refused, &BTreeSet::new())
    }

    /// To who may not read it, it looks like one that is not there.
    async fn like_missing(
        &self,
        reader: &Reader,
        place: usize,
        (asked, missing): ((&str, String, Value), (&str, String, Value)),
    ) -> u64 {
        let may = reader.readable.contains(&place);
        let what = format!("{} {}", asked.0, asked.1);
        let request = |(method, path, body): (&str, String, Value)| {
            let asked = TestRequest::new(method, &path).by(&reader.person.token).json(&body);
            if method == "PATCH" { asked.header("if-match", "\"1\"") } else { asked }
        };
        let answer = self.send(request(asked)).await;
        if may {
            let is_due = matches!(answer.status, 200 | 403 | 404 | 412 | 422);
            assert!(is_due, "{what}: {}", answer.text);
            return self.crossed(&answer, &BTreeSet::from([place]));
        }
        assert_eq!(answer.status, 404, "{what}: {}", answer.text);
        let missing = self.send(request(missing)).await;
        assert_eq!(answer.told(), missing.told(), "{what}");
        self.crossed(&answer, &BTreeSet::new())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_crosses_a_scope_while_files_are_ingested() {
    let long = std::env::var_os("WIIIV_LONG").is_some();
    let requests = if long { REQUESTS_LONG } else { REQUESTS };
    let all = generated(&mut Draw(7)).await;
    let is_over = AtomicBool::new(false);
    let reading = async {
        let crossed = join_all((0..READERS).map(|seed| all.read(seed, requests))).await;
        is_over.store(true, Ordering::Relaxed);
        crossed.iter().sum::<u64>()
    };
    let writing = join_all((0..WRITERS).map(|seed| all.write(seed, &is_over)));
    let (crossed, ingests) = join(reading, writing).await;
    let (sent, ingests) = (all.sent.into_inner(), ingests.iter().sum::<u64>());
    println!(
        "figure: rest: {sent} requests beside {ingests} ingests, {crossed} secrets across scopes"
    );
    let told = all.told.into_inner();
    assert!(told > requests / 20 && ingests > 0, "{told} of {sent} told something, {ingests}");
    assert_eq!(crossed, 0);
}
