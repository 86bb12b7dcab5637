//! Searches a chain by kind, person, outcome, plan, time and words.

use super::{AuditRow, Chain};
use crate::{
    database::{
        entity::audit_record,
        number::{from_db, to_db},
        statement::{query, query_all},
    },
    error::StoreError,
    store::Store,
};
use sea_orm::Value;
use uuid::Uuid;
use wiiiv_domain::{Timestamp, UserId};

/// Records of which one look reads the lines; the next one goes on before them.
const READ_RECORDS_MAX: u64 = 50_000;

/// How something ended, whatever the kind of its record calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditOutcome {
    Done,
    Denied,
    Failed,
    Cancelled,
    Pending,
    Unknown,
}

impl AuditOutcome {
    /// Members of a body, as the canonical line has them, in lower case.
    const fn marks(self) -> &'static [&'static str] {
        match self {
            Self::Done => &[
                r#""outcome":"done""#,
                r#""outcome":"allow""#,
                r#""kind":"succeeded""#,
                r#""ok":true"#,
                r#""consensus":"yes""#,
                r#""kind":"approval.given""#,
            ],
            Self::Denied => &[
                r#""outcome":"denied""#,
                r#""outcome":"deny""#,
                r#""consensus":"no""#,
                r#""kind":"approval.rejected""#,
            ],
            Self::Failed => {
                &[r#""outcome":"error""#, r#""kind":"failed""#, r#""ok":false"#, r#""failure":""#]
            }
            Self::Cancelled => &[r#""outcome":"cancelled""#, r#""kind":"cancelled""#],
            Self::Pending => &[r#""outcome":"pending""#],
            Self::Unknown => &[r#""kind":"indeterminate""#],
        }
    }
}

/// Newest first. Everything that is given has to hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditSearch {
    /// Any of them; none: every kind.
    pub kinds: Vec<String>,
    /// Any of these ids: the execution, call, approval, plan or session that a record speaks of.
    pub about: Option<Vec<Uuid>>,
    pub person: Option<UserId>,
    pub outcome: Option<AuditOutcome>,
    pub from: Option<Timestamp>,
    /// Not at it, only before it.
    pub until: Option<Timestamp>,
    /// Any of them, in any case: a word, or the id of somebody whose name it is.
    pub words: Vec<String>,
    /// Only records before this number.
    pub before: Option<u64>,
    pub limit: u64,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct AuditFound {
    pub rows: Vec<AuditRow>,
    /// Where a look that read enough for once goes on: records before this number.
    pub rest: Option<u64>,
}

impl Store {
    pub async fn audit_find(
        &self,
        chain: Chain,
        wanted: &AuditSearch,
    ) -> Result<AuditFound, StoreError> {
        let mut clause = Clause::of_chain(chain);
        clause.one_of("kind", wanted.kinds.iter().map(|kind| kind.as_str().into()));
        if let Some(about) = &wanted.about {
            if about.is_empty() {
                return Ok(AuditFound::default());
            }
            clause.one_of("about", about.iter().map(|id| (*id).into()));
        }
        clause.all("at >= ", wanted.from.map(|at| at.unix_ms().into()));
        clause.all("at < ", wanted.until.map(|at| at.unix_ms().into()));
        let person = wanted.person.map(|user| user.to_string());
        let outcome = wanted.outcome.map(AuditOutcome::marks).unwrap_or_default();
        let reads = person.is_some() || !outcome.is_empty() || !wanted.words.is_empty();
        clause.lines(person.iter().map(String::as_str));
        clause.lines(outcome.iter().copied());
        clause.lines(wanted.words.iter().map(String::as_str));
        let before = match wanted.before {
            Some(before) => before,
            None => self.audit_size(chain).await?.saturating_add(1),
        };
        let floor = if reads { before.saturating_sub(READ_RECORDS_MAX) } else { 0 };
        clause.all("seq < ", Some(to_db(before)?.into()));
        clause.all("seq >= ", Some(to_db(floor)?.into()));
        let rows = clause.rows(self, wanted.limit).await?;
        let rest = ((rows.len() as u64) < wanted.limit && floor > 1).then_some(floor);
        Ok(AuditFound { rows, rest })
    }

    pub(super) async fn audit_size(&self, chain: Chain) -> Result<u64, StoreError> {
        let sql = "SELECT size FROM audit_head WHERE chain = $1";
        let row = query(self.reader(), sql, vec![chain.to_string().into()]).await?;
        let size = row.map(|row| row.get::<i64>(0)).transpose()?;
        Ok(size.map_or(0, from_db))
    }
}

/// What a record has to fulfil.
struct Clause {
    sql: String,
    values: Vec<Value>,
}

impl Clause {
    fn of_chain(chain: Chain) -> Self {
        Self { sql: "chain = $1".to_owned(), values: vec![chain.to_string().into()] }
    }

    fn bound(&mut self, value: Value) -> String {
        self.values.push(value);
        format!("${}", self.values.len())
    }

    fn all(&mut self, test: &str, value: Option<Value>) {
        if let Some(value) = value {
            let value = self.bound(value);
            self.sql.push_str(&format!(" AND {test}{value}"));
        }
    }

    /// Nothing is asked where there are no values. No chain of `OR`: thousands of them are deeper
    /// than SQLite nests.
    fn one_of(&mut self, column: &str, values: impl Iterator<Item = Value>) {
        let values: Vec<String> = values.map(|value| self.bound(value)).collect();
        if !values.is_empty() {
            self.sql.push_str(&format!(" AND {column} IN ({})", values.join(",")));
        }
    }

    /// One of the words has to stand in the line; nothing is asked where there are none.
    fn lines<'a>(&mut self, words: impl Iterator<Item = &'a str>) {
        let patterns = words.map(|word| format!("%{}%", escaped(&word.to_lowercase())).into());
        let tests: Vec<String> = patterns
            .map(|pattern| format!("lower(line) LIKE {} ESCAPE '\\'", self.bound(pattern)))
            .collect();
        if !tests.is_empty() {
            self.sql.push_str(&format!(" AND ({})", tests.join(" OR ")));
        }
    }

    async fn rows(mut self, store: &Store, limit: u64) -> Result<Vec<AuditRow>, StoreError> {
        self.values.push(to_db(limit)?.into());
        let sql = format!(
            "SELECT chain, seq, kind, at, about, hash, line, seal FROM audit_record WHERE {} \
             ORDER BY seq DESC LIMIT ${}",
            self.sql,
            self.values.len()
        );
        let rows = query_all(store.reader(), &sql, self.values).await?;
        let read = rows.iter().map(|row| {
            AuditRow::read(audit_record::Model {
                chain: row.get(0)?,
                seq: row.get(1)?,
                kind: row.get(2)?,
                at: row.get(3)?,
                about: row.get(4)?,
                hash: row.get(5)?,
                line: row.get(6)?,
                seal: row.get(7)?,
            })
        });
        read.collect()
    }
}

/// Words are looked for as they are, not as a pattern.
pub(super) fn escaped(word: &str) -> String {
    let mut text = String::with_capacity(word.len());
    for c in word.chars() {
        if matches!(c, '\\' | '%' | '_') {
            text.push('\\');
        }
        text.push(c);
    }
    text
}
