//! The settings, parsed and checked, as the crates take them.

use serde::{
    Deserialize, Deserializer,
    de::{self, IntoDeserializer as _},
};
use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use wiiiv_context::{PROMPT_TOKENS_MAX, TOTAL_TOKENS_MIN};
use wiiiv_domain::{ProviderName, Scope};
use wiiiv_embed::{LocalModel, UnknownModel};
use wiiiv_exec::sandbox::DOCUMENT_MIB_MAX;
use wiiiv_llm::Form;
use wiiiv_net::Origin;
use wiiiv_retrieval::Chunking;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    pub server: ServerSettings,
    pub keys: KeySettings,
    pub store: StoreSettings,
    pub audit: AuditSettings,
    pub llm: LlmSettings,
    pub context: ContextSettings,
    pub documents: DocumentSettings,
    pub session: SessionSettings,
    pub limits: LimitSettings,
    pub log: LogSettings,
    pub telemetry: TelemetrySettings,
    #[serde(default)]
    pub faults: FaultSettings,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ServerSettings {
    #[serde(deserialize_with = "parsed")]
    pub listen: SocketAddr,
    /// Empty: the state folder of the user.
    pub data_dir: PathBuf,
    pub secure_cookies: bool,
}

/// Debug shows no key.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeySettings {
    /// Empty: no file.
    pub master_file: PathBuf,
    /// Empty: beside the other.
    pub next_master_file: PathBuf,
    #[serde(default)]
    pub master: Option<String>,
    #[serde(default)]
    pub next_master: Option<String>,
}

impl fmt::Debug for KeySettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySettings")
            .field("master_file", &self.master_file)
            .field("next_master_file", &self.next_master_file)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Synchronous {
    Full,
    Normal,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoreSettings {
    pub synchronous: Synchronous,
    /// Empty: none.
    pub checkpoints_file: PathBuf,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditSettings {
    pub export: AuditExportSettings,
}

/// Debug shows no secret, and of receivers none either: an address may hold one.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditExportSettings {
    pub to: Vec<String>,
    /// Empty: no file.
    pub secret_file: PathBuf,
    #[serde(deserialize_with = "seconds")]
    pub interval_seconds: Duration,
    #[serde(default)]
    pub secret: Option<String>,
}

impl fmt::Debug for AuditExportSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AuditExportSettings")
            .field("receivers", &self.to.len())
            .field("secret_file", &self.secret_file)
            .field("interval_seconds", &self.interval_seconds)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LlmSettings {
    #[serde(deserialize_with = "origins")]
    pub approved_origins: Vec<Origin>,
    #[serde(deserialize_with = "seconds")]
    pub connect_seconds: Duration,
    #[serde(deserialize_with = "seconds")]
    pub first_token_seconds: Duration,
    #[serde(deserialize_with = "seconds")]
    pub between_tokens_seconds: Duration,
    #[serde(deserialize_with = "seconds")]
    pub total_seconds: Duration,
    #[serde(deserialize_with = "at_least_one")]
    pub max_output_tokens: u32,
    #[serde(deserialize_with = "at_least_one")]
    pub attempts: u32,
    /// By `PROVIDER:model`.
    #[serde(deserialize_with = "windows")]
    pub windows: BTreeMap<String, u64>,
    /// By `PROVIDER:model`.
    #[serde(deserialize_with = "tokenizers")]
    pub tokenizers: BTreeMap<String, PathBuf>,
    /// By `PROVIDER:model`.
    #[serde(deserialize_with = "forms")]
    pub structured: BTreeMap<String, Form>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContextSettings {
    #[serde(deserialize_with = "total_tokens")]
    pub total_tokens: u64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DocumentSettings {
    /// Empty: none.
    pub folder: PathBuf,
    #[serde(deserialize_with = "parsed")]
    pub scope: Scope,
    #[serde(deserialize_with = "seconds")]
    pub folder_seconds: Duration,
    #[serde(deserialize_with = "file_mib")]
    pub file_mib: u64,
    #[serde(deserialize_with = "at_least_one")]
    pub queue_files: u32,
    #[serde(deserialize_with = "at_least_one")]
    pub scope_mib: u32,
    #[serde(deserialize_with = "at_least_one")]
    pub scope_chunks: u32,
    #[serde(deserialize_with = "at_least_one")]
    pub chunks: u32,
    #[serde(deserialize_with = "parsed")]
    pub embedder: EmbedderChoice,
    #[serde(deserialize_with = "chunking")]
    pub chunking: Chunking,
}

/// What vectors of documents are made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmbedderChoice {
    /// The first model that is installed.
    Auto,
    None,
    Local(LocalModel),
}

impl FromStr for EmbedderChoice {
    type Err = UnknownModel;
    fn from_str(text: &str) -> Result<Self, UnknownModel> {
        match text {
            "auto" => Ok(Self::Auto),
            "none" => Ok(Self::None),
            model => model.parse().map(Self::Local),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSettings {
    #[serde(deserialize_with = "seconds")]
    pub idle_seconds: Duration,
    #[serde(deserialize_with = "at_least_one")]
    pub queue_messages: u32,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LimitSettings {
    #[serde(deserialize_with = "at_least_one")]
    pub suspended_tasks: u32,
    #[serde(deserialize_with = "at_least_one")]
    pub task_rounds: u32,
    #[serde(deserialize_with = "at_least_one")]
    pub drawings: u32,
    #[serde(deserialize_with = "at_least_one")]
    pub refused_specs: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    Text,
    Json,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogSettings {
    pub level: LogLevel,
    pub format: LogFormat,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TelemetrySettings {
    /// Empty: what the standard variable says; without it nothing is sent.
    pub otlp_endpoint: String,
    /// Empty: no file.
    pub headers_file: PathBuf,
    #[serde(deserialize_with = "percent")]
    pub sampling_percent: u32,
    #[serde(deserialize_with = "seconds")]
    pub interval_seconds: Duration,
    pub service_name: String,
    pub metrics_open: bool,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FaultSettings {
    /// `<boundary>:<before|after>:<n>`.
    #[serde(default)]
    pub abort_at: Option<String>,
}

fn parsed<'de, D, T>(d: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    String::deserialize(d)?.parse().map_err(de::Error::custom)
}

fn origins<'de, D: Deserializer<'de>>(d: D) -> Result<Vec<Origin>, D::Error> {
    let texts = Vec::<String>::deserialize(d)?;
    let read = |text: &String| Origin::of_models(text).map_err(|e| format!("`{text}`: {e}"));
    texts.iter().map(read).collect::<Result<_, _>>().map_err(de::Error::custom)
}

fn at_least_one<'de, D: Deserializer<'de>>(d: D) -> Result<u32, D::Error> {
    let number = i64::deserialize(d)?;
    let fits = u32::try_from(number).ok().filter(|n| *n > 0);
    fits.ok_or_else(|| de::Error::custom(format!("`{number}` is not from 1 to `{}`", u32::MAX)))
}

fn windows<'de, D: Deserializer<'de>>(d: D) -> Result<BTreeMap<String, u64>, D::Error> {
    let read = |tokens: &str| tokens.parse::<u64>().ok().filter(|tokens| *tokens > 0);
    by_model(d, "`PROVIDER:model=tokens`", read)
}

fn tokenizers<'de, D: Deserializer<'de>>(d: D) -> Result<BTreeMap<String, PathBuf>, D::Error> {
    let read = |file: &str| (!file.is_empty()).then(|| PathBuf::from(file));
    by_model(d, "`PROVIDER:model=file`", read)
}

fn forms<'de, D: Deserializer<'de>>(d: D) -> Result<BTreeMap<String, Form>, D::Error> {
    let read = |form: &str| {
        let form: Result<_, de::value::Error> = Form::deserialize(form.into_deserializer());
        form.ok()
    };
    by_model(d, "`PROVIDER:model=schema`, `=tool` or `=plain`", read)
}

/// A list of texts, each of which says something of one model, in this shape.
fn by_model<'de, D: Deserializer<'de>, T>(
    d: D,
    shape: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<BTreeMap<String, T>, D::Error> {
    let texts = Vec::<String>::deserialize(d)?;
    let entry = |text: &String| {
        let entry = of_model(text).and_then(|(model, value)| Some((model, read(value)?)));
        entry.ok_or_else(|| format!("`{text}` is not {shape}"))
    };
    texts.iter().map(entry).collect::<Result<_, _>>().map_err(de::Error::custom)
}

/// `PROVIDER:model=value`.
fn of_model(text: &str) -> Option<(String, &str)> {
    let (model, value) = text.rsplit_once('=')?;
    let (provider, name) = model.trim().split_once(':')?;
    let known = ProviderName::ALL.into_iter().any(|known| known.as_str() == provider);
    (known && !name.is_empty()).then(|| (model.trim().to_owned(), value.trim()))
}

fn chunking<'de, D: Deserializer<'de>>(d: D) -> Result<Chunking, D::Error> {
    match String::deserialize(d)?.as_str() {
        "parent_child" => Ok(Chunking::ParentChild),
        "flat" => Ok(Chunking::Flat),
        other => Err(de::Error::custom(format!("`{other}` is not `parent_child` or `flat`"))),
    }
}

fn percent<'de, D: Deserializer<'de>>(d: D) -> Result<u32, D::Error> {
    let number = i64::deserialize(d)?;
    let fits = u32::try_from(number).ok().filter(|n| *n <= 100);
    fits.ok_or_else(|| de::Error::custom(format!("`{number}` is not from 0 to `100`")))
}

fn total_tokens<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    let number = i64::deserialize(d)?;
    let range = TOTAL_TOKENS_MIN..=PROMPT_TOKENS_MAX;
    let fits = u64::try_from(number).ok().filter(|tokens| range.contains(tokens));
    fits.ok_or_else(|| {
        let (least, most) = (range.start(), range.end());
        de::Error::custom(format!("`{number}` is not from {least} to `{most}`"))
    })
}

fn file_mib<'de, D: Deserializer<'de>>(d: D) -> Result<u64, D::Error> {
    let number = i64::deserialize(d)?;
    let fits = u64::try_from(number).ok().filter(|mib| (1..=DOCUMENT_MIB_MAX).contains(mib));
    fits.ok_or_else(|| {
        de::Error::custom(format!("`{number}` is not from 1 to `{DOCUMENT_MIB_MAX}`"))
    })
}

fn seconds<'de, D: Deserializer<'de>>(d: D) -> Result<Duration, D::Error> {
    at_least_one(d).map(|s| Duration::from_secs(u64::from(s)))
}
