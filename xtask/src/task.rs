//! The command line of `cargo xtask`, parsed once.

use std::path::PathBuf;
use std::str::FromStr;

use crate::{fault::Fault, fuzz, mutants};

pub const USAGE: &str = "\
usage: cargo xtask <task>

  test [--long]        format, tidy, clippy, tests, web UI, cargo-deny; --long adds the long tests
  tidy [ROOT]          the rules of ARCHITECTURE.md that no compiler checks
  web                  build `web/dist` anew from `web/src`, with Node
  dist                 the binary that is handed out: a release of half the size (about 20 minutes)
  bench NAME [ARGS]    one bench target (`turn`, `language`, ..), on the bench profile;
                       `bench turn --against REV` compares this tree with another revision;
                       `bench restart` starts over a store of 100,000 chunks, which it fills first (minutes);
                       `bench peers [SET..] [--large]` compares the search over documents with tantivy, FTS5 and hnsw_rs
  mutants [COUNT [SEED]]  changes the flow and the gates in 300 places, one at a time: a test must fail each time
                       (about two hours; wants cargo-mutants)
  fuzz NAME [SECONDS]  one libFuzzer target (`understand`, `documents`) from its corpus, 60 s by default
  rag-sets             builds sets for `wiiiv rag eval` from Debian packages, into `target/rag-sets`";

#[derive(Debug, PartialEq, Eq)]
pub enum Task {
    Help,
    Tidy { root: Option<PathBuf> },
    Test { long: bool },
    Web,
    Dist,
    Bench { name: String, args: Vec<String> },
    Fuzz { name: String, seconds: u32 },
    Mutants { count: usize, seed: Option<u64> },
    RagSets,
}

impl Task {
    pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Self, Fault> {
        let mut args = args.into_iter();
        let name = args.next();
        let rest: Vec<String> = args.collect();
        let rest_refs: Vec<&str> = rest.iter().map(String::as_str).collect();
        match (name.as_deref(), rest_refs.as_slice()) {
            (None | Some("help" | "--help" | "-h"), _) => Ok(Self::Help),
            (Some("tidy"), []) => Ok(Self::Tidy { root: None }),
            (Some("tidy"), [root]) => Ok(Self::Tidy { root: Some(PathBuf::from(root)) }),
            (Some("test"), []) => Ok(Self::Test { long: false }),
            (Some("test"), ["--long"]) => Ok(Self::Test { long: true }),
            (Some("web"), []) => Ok(Self::Web),
            (Some("dist"), []) => Ok(Self::Dist),
            (Some("bench"), [name, args @ ..]) => Ok(Self::Bench {
                name: (*name).to_owned(),
                args: args.iter().map(|&arg| arg.to_owned()).collect(),
            }),
            (Some("mutants"), []) => Ok(Self::Mutants { count: mutants::COUNT, seed: None }),
            (Some("mutants"), [count]) => Ok(Self::Mutants { count: number(count)?, seed: None }),
            (Some("mutants"), [count, seed]) => {
                Ok(Self::Mutants { count: number(count)?, seed: Some(number(seed)?) })
            }
            (Some("rag-sets"), []) => Ok(Self::RagSets),
            (Some("fuzz"), [name]) => {
                Ok(Self::Fuzz { name: (*name).to_owned(), seconds: fuzz::SECONDS })
            }
            (Some("fuzz"), [name, seconds]) => {
                Ok(Self::Fuzz { name: (*name).to_owned(), seconds: number(seconds)? })
            }
            (Some(task), _) => Err(format!("`{task}` with these arguments\n{USAGE}").into()),
        }
    }
}

fn number<T: FromStr>(text: &str) -> Result<T, Fault> {
    Ok(text.parse().map_err(|_| format!("`{text}` is no number"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Task, String> {
        Task::parse(line.split_whitespace().map(str::to_owned)).map_err(|fault| fault.to_string())
    }

    #[test]
    fn every_task_is_understood() {
        assert_eq!(parse(""), Ok(Task::Help));
        assert_eq!(parse("tidy"), Ok(Task::Tidy { root: None }));
        assert_eq!(parse("test"), Ok(Task::Test { long: false }));
        assert_eq!(parse("test --long"), Ok(Task::Test { long: true }));
        assert_eq!(parse("web"), Ok(Task::Web));
        assert_eq!(parse("dist"), Ok(Task::Dist));
        assert_eq!(
            parse("bench turn --quick"),
            Ok(Task::Bench { name: "turn".into(), args: vec!["--quick".into()] })
        );
        assert_eq!(parse("bench peers"), Ok(Task::Bench { name: "peers".into(), args: vec![] }));
        assert_eq!(parse("rag-sets"), Ok(Task::RagSets));
        assert_eq!(parse("mutants"), Ok(Task::Mutants { count: 300, seed: None }));
        assert_eq!(parse("mutants 20 7"), Ok(Task::Mutants { count: 20, seed: Some(7) }));
        let fuzz = |seconds| Ok(Task::Fuzz { name: "understand".into(), seconds });
        assert_eq!(parse("fuzz understand"), fuzz(60));
        assert_eq!(parse("fuzz understand 5"), fuzz(5));
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in ["fly", "test --fast", "bench", "tidy a b", "fuzz", "fuzz understand soon"] {
            assert!(parse(line).is_err(), "`{line}` was accepted");
        }
    }
}
