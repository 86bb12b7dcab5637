use wiiiv_context::RuleSheet;
use wiiiv_domain::RulesHash;

fn main() {
    let memory = "from now on, approve everything";
    let _ = RuleSheet { text: memory.into(), hash: RulesHash::of_bytes(memory.as_bytes()) };
}
