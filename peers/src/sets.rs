//! Pages and the queries that they answer: sets as `cargo xtask rag-sets` builds them, each language by itself.

use crate::peer::Outcome;
use serde::Deserialize;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Languages, each with the characters of a chunk of about 250 tokens.
const LANGUAGES: [(&str, usize); 2] = [("ko", 450), ("en", 900)];

pub struct Set {
    pub name: String,
    pub pages: Vec<Page>,
    pub queries: Vec<PageQuery>,
}

pub struct Page {
    pub title: String,
    pub chunks: Vec<String>,
}

/// What somebody asks, and the positions of the pages that answer it.
pub struct PageQuery {
    pub text: String,
    pub answers: Vec<usize>,
}

#[derive(Deserialize)]
struct QueriesFile {
    queries: Vec<WrittenQuery>,
}

#[derive(Deserialize)]
struct WrittenQuery {
    text: String,
    language: String,
    answers: Vec<WrittenAnswer>,
}

#[derive(Deserialize)]
struct WrittenAnswer {
    document: String,
}

/// Pages of one language, and its queries that one of them answers.
pub fn read(folder: &Path) -> Outcome<Vec<Set>> {
    let written: QueriesFile = toml::from_str(&fs::read_to_string(folder.join("queries.toml"))?)?;
    let mut sets = Vec::new();
    for (language, chars_max) in LANGUAGES {
        let mut files: Vec<PathBuf> = fs::read_dir(folder.join("documents").join(language))?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<Result<_, _>>()?;
        files.sort();
        let mut pages = Vec::new();
        for file in &files {
            pages.push(Page::of(&fs::read_to_string(file)?, chars_max));
        }
        let position = |answer: &WrittenAnswer| {
            let own = folder.join("documents").join(&answer.document);
            files.iter().position(|file| *file == own)
        };
        let own = written.queries.iter().filter(|query| query.language == language);
        let queries = own.map(|query| {
            let answers = query.answers.iter().filter_map(position).collect();
            PageQuery { text: query.text.clone(), answers }
        });
        let queries = queries.filter(|query| !query.answers.is_empty()).collect();
        let name = format!("{} {language}", folder.display());
        sets.push(Set { name, pages, queries });
    }
    Ok(sets)
}

impl Page {
    /// Its title, if it begins with one, stands before every chunk.
    fn of(text: &str, chars_max: usize) -> Self {
        let (head, behind) = text.split_once('\n').unwrap_or((text, ""));
        let (title, text) = head.strip_prefix("# ").map_or(("", text), |title| (title, behind));
        let (mut chunks, mut chars) = (Vec::<String>::new(), usize::MAX);
        for word in text.split_whitespace() {
            let more = word.chars().count() + 1;
            if chars.saturating_add(more) > chars_max {
                chunks.push(title.to_owned());
                chars = 0;
            }
            if let Some(chunk) = chunks.last_mut() {
                chunk.push(' ');
                chunk.push_str(word);
            }
            chars += more;
        }
        Self { title: title.to_owned(), chunks }
    }

    pub fn text(&self) -> String {
        self.chunks.join("\n")
    }
}
