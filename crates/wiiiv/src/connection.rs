//! A server, and this user's token for its origin.

use crate::context::Context;
use crate::credentials::Credentials;
use crate::failure::{Absent, Failure};
use crate::output;
use crate::secret;
use crate::texts::fill;
use secrecy::SecretString;
use serde_json::Value;
use std::path::PathBuf;
use std::str::FromStr;
use wiiiv_domain::{DocumentId, ProjectId, UserId};
use wiiiv_net::{ApiCall, ApiClient, ApiError, Origin, OriginFormat, Url};

pub const ADDRESS: &str = "http://127.0.0.1:7717";
const TOKEN_FILE_VARIABLE: &str = "WIIIV_TOKEN_FILE";
const BASE: &str = "/api/v2";
const NOT_FOUND: u16 = 404;
/// Rows of one list; more are asked for page by page.
pub const PAGE_ROWS: u32 = 100;
/// Rows that one command lists at most.
pub const LISTED_ROWS_MAX: usize = 1_000;

pub struct Connection {
    pub client: ApiClient,
    /// What commands mean where no project is named.
    default_project: Option<ProjectId>,
    /// Said where a list has more rows than are asked for.
    cut_short: String,
}

/// The path below the API's base.
pub fn path(below: &str) -> String {
    format!("{BASE}{below}")
}

/// `--server`, else where the newest log-in was, else the default address.
pub fn address(context: &Context) -> Result<String, Failure> {
    if let Some(server) = &context.server {
        return Ok(server.trim_end_matches('/').to_owned());
    }
    let credentials = Credentials::open()?;
    Ok(credentials.newest().unwrap_or(ADDRESS).to_owned())
}

pub fn origin(address: &str) -> Result<String, ApiError> {
    let url = Url::parse(address).map_err(|_| OriginFormat::NotAUrl)?;
    Ok(Origin::of(&url)?.to_string())
}

impl Connection {
    pub fn open(context: &Context) -> Result<Self, Failure> {
        Self::at(context, &address(context)?)
    }

    pub fn at(context: &Context, address: &str) -> Result<Self, Failure> {
        let origin = origin(address)?;
        let (token, default_project) = match std::env::var_os(TOKEN_FILE_VARIABLE) {
            Some(file) => (secret::from_private_file(&PathBuf::from(file))?, None),
            None => {
                // INVARIANT: a token is sent to the origin that gave it and to no other.
                let credentials = Credentials::open()?;
                let login = credentials.of(&origin).ok_or(Failure::NotLoggedIn { origin })?;
                (SecretString::from(login.token.as_str()), login.project)
            }
        };
        let client = ApiClient::new(address, Some(token))?;
        let client = client.in_language(context.language.as_str());
        Ok(Self { client, default_project, cut_short: context.texts.list.cut_short.clone() })
    }

    /// A log-in that is not kept yet.
    pub fn with(context: &Context, client: &ApiClient, token: &SecretString) -> Self {
        let cut_short = context.texts.list.cut_short.clone();
        Self { client: client.with_token(token.clone()), default_project: None, cut_short }
    }

    pub async fn get(&self, below: &str) -> Result<Value, Failure> {
        Ok(self.client.send(ApiCall::get(path(below))).await?.body)
    }

    pub async fn post(&self, below: &str, body: Value) -> Result<Value, Failure> {
        Ok(self.client.send(ApiCall::post(path(below)).json(body)).await?.body)
    }

    /// The rows of a list, page by page. `below` may have a query.
    pub async fn rows(&self, below: &str) -> Result<Vec<Value>, Failure> {
        let mut rows = Vec::new();
        let mut cursor: Option<String> = None;
        let joint = if below.contains('?') { '&' } else { '?' };
        loop {
            let mut page = format!("{below}{joint}limit={PAGE_ROWS}");
            if let Some(cursor) = &cursor {
                page = format!("{page}&cursor={cursor}");
            }
            let mut body = self.get(&page).await?;
            rows.extend(take_items(&mut body)?);
            cursor = body.get("next_cursor").and_then(Value::as_str).map(str::to_owned);
            if cursor.is_none() {
                return Ok(rows);
            }
            if rows.len() >= LISTED_ROWS_MAX {
                let count = rows.len().to_string();
                output::note(&fill(&self.cut_short, &[("rows", &count)]))?;
                return Ok(rows);
            }
        }
    }

    /// The rows of a list that has no pages.
    pub async fn all(&self, below: &str) -> Result<Vec<Value>, Failure> {
        take_items(&mut self.get(below).await?)
    }

    /// A member of that project, by name or id.
    pub async fn member(&self, project: ProjectId, named: &str) -> Result<String, Failure> {
        if named.parse::<UserId>().is_ok() {
            return Ok(named.to_owned());
        }
        let list = self.get(&format!("/projects/{project}/members")).await?;
        let found = items(&list, "items").iter().find(|row| text(row, "name") == named);
        let found = found.map(|row| text(row, "user").to_owned());
        found.ok_or_else(|| Failure::NoSuchMember { name: named.to_owned() })
    }

    /// As the server shows it; of one that it does not show, why that may be.
    pub async fn document(&self, id: DocumentId) -> Result<Value, Failure> {
        let view = self.get(&format!("/rag/documents/{id}")).await;
        view.map_err(Failure::of_absent(Absent::Document))
    }

    pub async fn patch(&self, below: &str, body: Value) -> Result<Value, Failure> {
        Ok(self.client.send(ApiCall::patch(path(below)).json(body)).await?.body)
    }

    /// By name or id; else the log-in's own, else the only one.
    pub async fn project(&self, named: Option<&str>) -> Result<ProjectId, Failure> {
        if let Some(id) = named.and_then(|text| text.parse().ok()) {
            return Ok(id);
        }
        if let (None, Some(project)) = (named, self.default_project) {
            return Ok(project);
        }
        let projects = self.rows("/projects").await?;
        let names: Vec<&str> = projects.iter().map(|project| text(project, "name")).collect();
        let known = names.join("`, `");
        let wanted = |project: &&Value| named.is_none_or(|name| text(project, "name") == name);
        let mut matching = projects.iter().filter(wanted);
        match (matching.next(), matching.next()) {
            (Some(project), None) => parsed(project, "id"),
            (None, _) => {
                Err(Failure::NoSuchProject { name: named.unwrap_or_default().to_owned(), known })
            }
            (Some(_), Some(_)) => Err(named.map_or(Failure::WhichProject { known }, |name| {
                let ids = projects.iter().filter(wanted).map(|project| text(project, "id"));
                let known = ids.collect::<Vec<_>>().join("`, `");
                Failure::SeveralNamed { name: name.to_owned(), known }
            })),
        }
    }
}

/// A text of an answer; empty where there is none.
pub fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A yes of an answer; no where there is none.
pub fn flag(value: &Value, field: &str) -> bool {
    value.get(field).and_then(Value::as_bool).unwrap_or_default()
}

/// A number of an answer; zero where there is none.
pub fn number(value: &Value, field: &str) -> u64 {
    value.get(field).and_then(Value::as_u64).unwrap_or_default()
}

/// A list of an answer; empty where there is none.
pub fn items<'a>(value: &'a Value, field: &str) -> &'a [Value] {
    value.get(field).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The texts of such a list.
pub fn words<'a>(value: &'a Value, field: &str) -> Vec<&'a str> {
    items(value, field).iter().filter_map(Value::as_str).collect()
}

/// The rows of one page, which every list has.
pub fn take_items(page: &mut Value) -> Result<Vec<Value>, Failure> {
    match page.get_mut("items").map(Value::take) {
        Some(Value::Array(items)) => Ok(items),
        Some(_) | None => Err(Failure::Answer { field: "items" }),
    }
}

/// An id that an answer must have.
pub fn parsed<T: FromStr>(value: &Value, field: &'static str) -> Result<T, Failure> {
    required(value, field)?.parse().map_err(|_| Failure::Answer { field })
}

/// `None`: there is none, or none that this person may see.
pub fn if_there<T>(answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(failure) if failure.status() == Some(NOT_FOUND) => Ok(None),
        Err(failure) => Err(failure),
    }
}

/// A text that an answer must have.
pub fn required<'a>(value: &'a Value, field: &'static str) -> Result<&'a str, Failure> {
    value.get(field).and_then(Value::as_str).ok_or(Failure::Answer { field })
}
