//! However much a provider sends, little of it is kept: measured on a process that does nothing
//! else.

use super::{Program, asking, key, lists::list};
use crate::{embeddings::embed, party::Party};
use std::process::Command;
use wiiiv_fakes::Conduct;
use wiiiv_llm::TEXTS_MAX;

const CHILD: &str = "WIIIV_TEST_MEMORY";
const NAME: &str = "provider::memory::what_a_provider_sends_is_not_kept";
const GROWTH_KIB_MAX: u64 = 64 * 1024;
const HEAVY: [Conduct; 9] = [
    Conduct::HugeEvent,
    Conduct::HugeStream,
    Conduct::HugeDocument,
    Conduct::ManyInEvent,
    Conduct::ManyInDocument,
    Conduct::HugeError,
    Conduct::Endless,
    Conduct::DeepEvent,
    Conduct::DeepAnswer,
];

/// The most that this process has ever had in memory, in KiB.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

async fn measure() {
    let program = Program::shared();
    for party in Party::ALL {
        let key = key("baseline", party, Conduct::Good);
        asking(program, party, Conduct::Good, &key).ask("안녕").await.unwrap();
    }
    let baseline = peak();
    for party in Party::ALL {
        for conduct in HEAVY {
            let key = key("memory", party, conduct);
            asking(program, party, conduct, &key).failure().await;
        }
    }
    for party in [Party::OpenAi, Party::Ollama, Party::Google, Party::Custom] {
        for conduct in [Conduct::ManyNumbers, Conduct::ManyVectors, Conduct::HugeDocument] {
            let key = key("memory-of-vectors", party, conduct);
            let test = asking(program, party, conduct, &key);
            let texts = vec!["가".to_owned(); TEXTS_MAX];
            embed(&test, &texts).await.unwrap_err();
        }
    }
    for party in [Party::OpenAi, Party::Anthropic, Party::Google, Party::Ollama, Party::Custom] {
        for conduct in HEAVY {
            let key = key("memory-of-lists", party, conduct);
            list(&asking(program, party, conduct, &key), party).await;
        }
    }
    println!("\npeak grew by {} KiB", peak() - baseline);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_a_provider_sends_is_not_kept() {
    if std::env::var(CHILD).is_ok() {
        return measure().await;
    }
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", NAME, "--nocapture"])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let grown = said.lines().find_map(|line| line.strip_prefix("peak grew by ")).unwrap();
    let grown: u64 = grown.trim_end_matches(" KiB").parse().unwrap();
    assert!(grown <= GROWTH_KIB_MAX, "{grown} KiB for a gigabyte");
}
