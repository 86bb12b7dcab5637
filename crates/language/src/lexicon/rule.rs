//! What words and entities mean together.

use super::{error::LexiconError, file::RuleLine};
use crate::concept::Concept;
use serde::Deserialize as _;
use serde::de::{IntoDeserializer, value::Error as ValueError};
use std::collections::BTreeSet;
use wiiiv_domain::TaskType;

/// What a rule without a task is called.
const DECLINED: &str = "nothing";

/// What a rule can ask for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sign {
    Word(Concept),
    Path,
    /// With or without an extension.
    AnyPath,
    /// A path to what is programmed.
    CodePath,
    /// A path to what is read as a text.
    TextPath,
    /// A path that something is done in: `app.py에서`, `in app.py`.
    Inside,
    /// A path right beside the leading verb: `delete app.py`, `app.py 지워`.
    Handled,
    Url,
    /// A URL that answers with data and not with a page.
    ApiUrl,
    /// A URL that answers with a page.
    PageUrl,
    Quoted,
    Code,
    Json,
    Method,
    EarlierRun,
    /// The one file of an earlier run is pointed to, and nothing else is named.
    KnownFile,
    /// The same file is where something goes: `add milk to it`, `거기다 대파 추가해줘`.
    IntoFile,
    /// A registered system.
    System,
    /// What each of the systems named is to do.
    Operation,
    Label,
    /// No system is named, and one alone has what is asked for.
    Implied,
    /// The same of an operation that changes something, and what it is to be sent.
    ImpliedAct,
    /// What a system lists is to be changed, and no operation does it.
    Impossible,
    /// A command line, quoted or not.
    Program,
    /// A command line in backticks or without any marks.
    WrittenProgram,
    Sql,
    /// A question that is no request.
    Asks,
}

impl Sign {
    fn parse(name: &str) -> Option<Self> {
        match name {
            "path" => Some(Self::Path),
            "any_path" => Some(Self::AnyPath),
            "url" => Some(Self::Url),
            "quoted" => Some(Self::Quoted),
            "code" => Some(Self::Code),
            "json" => Some(Self::Json),
            "method" => Some(Self::Method),
            "earlier_run" => Some(Self::EarlierRun),
            "known_file" => Some(Self::KnownFile),
            "into_file" => Some(Self::IntoFile),
            "system" => Some(Self::System),
            "operation" => Some(Self::Operation),
            "label" => Some(Self::Label),
            "implied" => Some(Self::Implied),
            "implied_act" => Some(Self::ImpliedAct),
            "impossible" => Some(Self::Impossible),
            "text_path" => Some(Self::TextPath),
            "code_path" => Some(Self::CodePath),
            "inside" => Some(Self::Inside),
            "handled" => Some(Self::Handled),
            "page_url" => Some(Self::PageUrl),
            "api_url" => Some(Self::ApiUrl),
            "program" => Some(Self::Program),
            "written_program" => Some(Self::WrittenProgram),
            "sql" => Some(Self::Sql),
            "asks" => Some(Self::Asks),
            word => {
                let word = IntoDeserializer::<ValueError>::into_deserializer(word);
                Concept::deserialize(word).ok().map(Self::Word)
            }
        }
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Rule {
    /// `None`: nothing here can do it.
    pub(crate) task: Option<TaskType>,
    pub(crate) verbs: BTreeSet<Concept>,
    pub(crate) all: Vec<Vec<Sign>>,
    pub(crate) none: Vec<Sign>,
    pub(crate) confidence: f32,
}

impl Rule {
    pub(crate) fn compile(line: RuleLine) -> Result<Self, LexiconError> {
        let sign = |name: &str| {
            Sign::parse(name.trim()).ok_or_else(|| LexiconError::UnknownSign {
                task: line.task.map_or_else(|| DECLINED.to_owned(), |task| task.to_string()),
                sign: name.to_owned(),
            })
        };
        let alternatives = |entry: &String| entry.split('|').map(sign).collect();
        Ok(Self {
            task: line.task,
            verbs: line.verb.clone(),
            all: line.all.iter().map(alternatives).collect::<Result<_, _>>()?,
            none: line.none.iter().map(|name| sign(name)).collect::<Result<_, _>>()?,
            confidence: line.confidence,
        })
    }
}
