//! The index against Cedar, and what is wrong with a text.

use super::*;
use cedar_policy_core::parser::parse_policyset;
use proptest::prelude::*;
use wiiiv_domain::{Effect as StepEffect, HttpMethod, Scheme, Timestamp};

fn id(number: u128) -> wiiiv_domain::UserId {
    uuid::Uuid::from_u128(number).into()
}

fn compiled(text: &str) -> Arc<FineRules> {
    FineRules::compile(text).unwrap().unwrap()
}

fn faults(text: &str) -> Vec<(usize, usize, RuleFaultCode)> {
    let faults = FineRules::compile(text).unwrap_err();
    faults.into_iter().map(|fault| (fault.line, fault.column, fault.code)).collect()
}

#[test]
fn the_base_permits_whatever_is_asked_and_forbids_nothing() {
    let base = vocabulary().unwrap().base();
    assert!(base.iter().all(|policy| policy.effect() == Effect::Permit));
    assert!(base.iter().any(is_unconditional), "a policy without fine rules is not asked about");
}

#[test]
fn only_a_permit_without_scope_and_condition_asks_for_nothing() {
    for (text, due) in [
        ("permit (principal, action, resource);", true),
        ("forbid (principal, action, resource);", false),
        ("permit (principal is User, action, resource);", false),
        ("permit (principal, action == Action::\"FILE_READ\", resource);", false),
        ("permit (principal, action, resource is File);", false),
        ("permit (principal, action, resource) when { context.tainted };", false),
    ] {
        let parsed = parse_policyset(text).unwrap();
        assert_eq!(parsed.static_policies().all(is_unconditional), due, "{text}");
    }
}

#[test]
fn each_profile_is_valid_and_says_why_in_both_languages() {
    use wiiiv_domain::Lang;
    let mut together = String::new();
    for (name, text) in FINE_PROFILES {
        let rules = compiled(text);
        assert!(!rules.rules().is_empty(), "{name}");
        for rule in rules.rules() {
            let [ko, en] = Lang::ALL.map(|lang| rule.advice(lang).map(str::to_owned));
            assert!(ko.is_some() && en.is_some() && ko != en, "{name}");
        }
        together.push_str(text);
    }
    assert_eq!(compiled(&together).rules().len(), 6, "they can stand together");
}

#[test]
fn a_text_without_a_rule_is_none() {
    assert!(FineRules::compile(" \n\t").unwrap().is_none());
    assert!(FineRules::compile("// nothing yet\n").unwrap().unwrap().rules().is_empty());
}

#[test]
fn a_fault_stands_at_its_line_and_column() {
    use RuleFaultCode::{
        Advice, Annotation, BadName, Impossible, Invalid, NoName, Permit, SameName, Syntax,
        Template, TooDeep,
    };
    let rule = "forbid (principal, action, resource);";
    let named = |more: &str| format!("@id(\"a\")\n{more}");
    let mut lacking = String::new();
    for (text, due) in [
        (named("forbid (principal, action, resource)"), (2, 37, Syntax)),
        (named("한글 (principal, action, resource);"), (2, 1, Syntax)),
        (named("forbid (principal, action == Action::\"FILE_REED\", resource);"), (2, 30, Invalid)),
        (named("forbid (principal, action, resource is Fil);"), (2, 40, Invalid)),
        (named("forbid (principal, action, resource) when { context.taintd };"), (2, 45, Invalid)),
        (named("forbid (principal, action, resource) when { context.risky };"), (2, 45, Invalid)),
        (
            named(
                "forbid (principal, action, resource)\n  when { context.effect == Effect::\"Write\" };",
            ),
            (3, 28, Invalid),
        ),
        (named("forbid (principal, action, resource) when { false };"), (1, 1, Impossible)),
        (
            named("forbid (principal, action == Action::\"FILE_READ\", resource is Place);"),
            (1, 1, Impossible),
        ),
        (named("permit (principal, action, resource);"), (1, 1, Permit)),
        (named("forbid (principal == ?principal, action, resource);"), (1, 1, Template)),
        (rule.to_owned(), (1, 1, NoName)),
        (format!("@id(\"No Deletes\")\n{rule}"), (1, 1, BadName)),
        (format!("@id(\"a\")\n{rule}\n@id(\"a\")\n{rule}"), (3, 1, SameName)),
        (format!("@id(\"a\")\n@advise(\"x\")\n{rule}"), (2, 1, Annotation)),
        (format!("@id(\"a\")\n@advice(\"\")\n{rule}"), (2, 1, Advice)),
        (
            named(&format!("forbid (principal, action, resource) when {{ {}", "(".repeat(40))),
            (2, 68, TooDeep),
        ),
    ] {
        let found = faults(&text);
        if !found.contains(&due) {
            lacking.push_str(&format!("{text}\n{found:?} lacks {due:?}\n"));
        }
    }
    assert_eq!(lacking, "");
    let misspelt = named("forbid (principal, action == Action::\"FILE_REED\", resource);");
    assert_eq!(faults(&misspelt), [(2, 30, Invalid)], "that it never applies is no second fault");
    let many = FineRules::compile(&format!("{rule}\n").repeat(100)).unwrap_err();
    assert_eq!(many.len(), 20, "no more faults are told than somebody reads");
}

#[test]
fn bounds_hold_before_anything_is_parsed() {
    let long = format!("//{}", "x".repeat(70_000));
    assert_eq!(faults(&long)[0].2, RuleFaultCode::TooLong);
    let rule = |nth| format!("@id(\"r{nth}\") forbid (principal, action, resource);");
    let many: String = (0..501).map(rule).collect();
    assert_eq!(faults(&many)[0].2, RuleFaultCode::TooMany);
    let most: String = (0..500).map(rule).collect();
    assert_eq!(compiled(&most).rules().len(), 500);
}

#[test]
fn an_advice_is_at_most_as_long_as_its_bound() {
    let rule = |count| {
        let advice = "가".repeat(count);
        format!("@id(\"a\")\n@advice(\"{advice}\")\nforbid (principal, action, resource);")
    };
    assert_eq!(compiled(&rule(200)).rules().len(), 1);
    for more in [201, 202] {
        assert_eq!(faults(&rule(more)), [(2, 1, RuleFaultCode::Advice)]);
    }
}

/// The thread is as small as a runtime's.
#[test]
fn no_text_is_deep_enough_to_harm() {
    let run = || {
        let begin = "@id(\"a\") forbid (principal, action, resource) when { ";
        for (unit, end) in [
            ("true && ", "true"),
            ("true || ", "true"),
            ("if true then true else ", "true"),
            ("context.tainted == ", "true"),
            ("{\"a\": ", "1"),
            ("[", "1"),
            ("(", "true"),
            ("!", "true"),
            ("-", "1"),
            ("1 + ", "1"),
            ("context has a.", "b"),
        ] {
            for count in [3, 20, 90, 180, 2_000] {
                let text = format!("{begin}{}{end} }};", unit.repeat(count));
                let _ = FineRules::compile(&text);
            }
        }
        let whens = "when { true } unless { false } ".repeat(1_500);
        let _ = FineRules::compile(&format!(
            "@id(\"a\") forbid (principal, action, resource) {whens};"
        ));
    };
    let small = std::thread::Builder::new().stack_size(2 << 20).spawn(run).unwrap();
    small.join().unwrap();
}

fn step() -> impl Strategy<Value = StepType> {
    prop::sample::select(StepType::ALL.to_vec())
}

fn words(all: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(all.to_vec())
}

/// Parts that the index reads, parts that it leaves to Cedar, and one that fails.
fn condition() -> impl Strategy<Value = String> {
    let leaf = words(&[
        "context.tainted",
        "context.effect == Effect::\"write\"",
        "context.effect != Effect::\"read\"",
        "[Effect::\"write\", Effect::\"delete\"].contains(context.effect)",
        "context.riskScore > 30",
        "context.riskScore + 1 <= 31",
        "context.utcHour < 9",
        "(context has risky && context.risky)",
        "resource in [Folder::\"notes\", Folder::\"a/b\"]",
        "resource in Domain::\"test\"",
        "(resource is File && resource in Folder::\"notes\")",
        "(resource is File && resource has path && resource.path like \"*.md\")",
        "(resource is Place && resource.host == \"shop.test\")",
        "(resource is Place && resource has path && resource.path like \"/admin/*\")",
        "(resource is Place && resource.port == 443)",
        "principal == User::\"00000000-0000-0000-0000-000000000003\"",
        "action == Action::\"API_CALL\"",
        "action in Action::\"network\"",
        "context.riskScore * 9223372036854775807 > 1",
        "ip(\"127.0.0.1\").isLoopback()",
        "(if context.tainted then context.utcWeekday > 5 else false)",
        "true",
        "false",
    ]);
    leaf.prop_map(str::to_owned).prop_recursive(3, 12, 2, |inner| {
        (inner.clone(), inner, 0..4).prop_map(|(left, right, how)| match how {
            0 => format!("({left} && {right})"),
            1 => format!("({left} || {right})"),
            2 => format!("!({left})"),
            _ => format!("(if {left} then {right} else true)"),
        })
    })
}

fn rule() -> impl Strategy<Value = String> {
    let principal = words(&[
        "principal",
        "principal == User::\"00000000-0000-0000-0000-000000000003\"",
        "principal is User",
    ]);
    let action = words(&[
        "action",
        "action == Action::\"FILE_WRITE\"",
        "action in Action::\"files\"",
        "action in [Action::\"API_CALL\", Action::\"FILE_READ\"]",
    ]);
    let resource = words(&[
        "resource",
        "resource == File::\"notes/a.md\"",
        "resource in Folder::\"notes\"",
        "resource is Place",
        "resource is Place in Domain::\"shop.test\"",
        "resource == Place::\"shop.test:8443\"",
    ]);
    let when = prop::collection::vec((any::<bool>(), condition()), 0..3);
    (principal, action, resource, when).prop_map(|(principal, action, resource, when)| {
        let clauses = when.into_iter().map(|(is, condition)| {
            format!("{} {{ {condition} }}", if is { "when" } else { "unless" })
        });
        format!("forbid ({principal}, {action}, {resource}) {};", clauses.collect::<String>())
    })
}

#[derive(Debug, Clone)]
struct Case {
    requester: u128,
    step: StepType,
    effect: StepEffect,
    folder: &'static [&'static str],
    name: Option<&'static str>,
    host: &'static str,
    port: Option<u16>,
    path: Option<&'static str>,
    method: HttpMethod,
    flags: (bool, u32, Option<bool>),
    hours: i64,
}

impl Case {
    fn asked(&self) -> StepRequest<'_> {
        let (tainted, risk_score, risky) = self.flags;
        let reach = match self.step {
            StepType::FileRead | StepType::FileWrite | StepType::FileDelete => {
                Reach::File { folder: self.folder, name: self.name }
            }
            StepType::ApiCall | StepType::WebFetch => Reach::Place {
                method: self.method,
                scheme: Scheme::Https,
                host: self.host,
                port: self.port,
                path: self.path,
            },
            _ => Reach::Inside,
        };
        StepRequest {
            requester: id(self.requester),
            step_type: self.step,
            effect: self.effect,
            reach,
            tainted,
            risk_score,
            risky,
            at: Timestamp::from_unix_ms(1_795_232_682_000).plus_seconds(self.hours * 3600),
        }
    }
}

prop_compose! {
    fn case()(
        requester in 3_u128..5, step in step(),
        effect in prop::sample::select(vec![StepEffect::Read, StepEffect::Write, StepEffect::Delete]),
        folder in prop::sample::select(vec![&[][..], &["notes"][..], &["a", "b"][..]]),
        name in prop::option::of(words(&["a.md", "b.txt"])),
        host in words(&["shop.test", "eu.shop.test", "10.0.0.1", "[::1]"]),
        port in prop::option::of(prop::sample::select(vec![443_u16, 8443])),
        path in prop::option::of(words(&["/", "/admin/x", "/orders"])),
        method in prop::sample::select(HttpMethod::ALL.to_vec()),
        flags in (any::<bool>(), prop::sample::select(vec![0_u32, 30, 31, 100]), any::<Option<bool>>()),
        hours in 0_i64..200,
    ) -> Case {
        Case { requester, step, effect, folder, name, host, port, path, method, flags, hours }
    }
}

/// A quiet read of `notes/a.md`.
const READ: Case = Case {
    requester: 3,
    step: StepType::FileRead,
    effect: StepEffect::Read,
    folder: &["notes"],
    name: Some("a.md"),
    host: "eu.shop.test",
    port: None,
    path: Some("/"),
    method: HttpMethod::Get,
    flags: (false, 30, None),
    hours: 0,
};

/// Cedar would find the same; what the index rules out costs a comparison or two.
#[test]
fn the_index_rules_out_what_the_facts_contradict() {
    let question = Question::of(&READ.asked(), vocabulary().unwrap()).unwrap();
    for (condition, due) in [
        ("context.tainted", false),
        ("!context.tainted", true),
        ("context.effect == Effect::\"write\"", false),
        ("context.effect == Effect::\"read\"", true),
        ("[Effect::\"write\", Effect::\"delete\"].contains(context.effect)", false),
        ("context.riskScore <= 29", false),
        ("context.riskScore < 30", false),
        ("context.riskScore >= 30", true),
        ("context has risky && context.risky", false),
        ("context.tainted || context.riskScore > 30", false),
        ("resource is Place", false),
        ("resource is File", true),
        ("resource is File && resource in Folder::\"other\"", false),
        ("resource is File && resource in Folder::\"notes\"", true),
        ("resource is File && resource has name && resource.name like \"*.txt\"", false),
        ("principal == User::\"00000000-0000-0000-0000-000000000004\"", false),
        ("action == Action::\"FILE_WRITE\"", false),
        // What it does not read is Cedar's to answer.
        ("context.riskScore + 1 <= 5", true),
    ] {
        let rule =
            format!("@id(\"a\") forbid (principal, action, resource) when {{ {condition} }};");
        let rules = compiled(&rule);
        assert_eq!(index::may_apply(rules.rules()[0].policy(), &question), due, "{condition}");
    }
}

#[test]
fn a_place_lies_in_each_domain_above_its_host_and_an_address_in_none() {
    for (host, domain, due) in [
        ("eu.shop.test", "eu.shop.test", true),
        ("eu.shop.test", "shop.test", true),
        ("eu.shop.test", "test", true),
        ("eu.shop.test", "p.test", false),
        ("eu.shop.test", "op.test", false),
        ("10.0.0.1", "10.0.0.1", true),
        ("10.0.0.1", "0.0.1", false),
    ] {
        let rule =
            format!("@id(\"a\") forbid (principal, action, resource in Domain::\"{domain}\");");
        let case = Case { step: StepType::WebFetch, host, ..READ };
        let found = compiled(&rule).forbids(&case.asked()).is_some();
        assert_eq!(found, due, "{host} {domain}");
    }
}

fn text_of(rules: &[String]) -> String {
    rules.iter().enumerate().map(|(nth, rule)| format!("@id(\"r{nth}\") {rule}\n")).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, max_global_rejects: 100_000, ..ProptestConfig::default() })]
    #[test]
    fn the_index_answers_as_cedar_does_over_all_rules(
        rules in prop::collection::vec(rule(), 1..5), cases in prop::collection::vec(case(), 1..12),
    ) {
        // Rules that contradict the schema are refused, each by itself.
        let valid: Vec<String> =
            rules.into_iter().filter(|rule| FineRules::compile(&text_of(std::slice::from_ref(rule))).is_ok()).collect();
        prop_assume!(!valid.is_empty());
        let all = compiled(&text_of(&valid));
        for case in &cases {
            let asked = case.asked();
            let forbidden = all.forbids(&asked);
            prop_assert_eq!(forbidden.is_some(), all.forbids_by_cedar_alone(&asked), "{:?} {:?}", valid, case);
            // One rule fewer never forbids more, and one more never allows.
            for fewer in 0..valid.len() {
                let mut rest = valid.clone();
                rest.remove(fewer);
                if let Some(fewer) = FineRules::compile(&text_of(&rest)).unwrap() {
                    prop_assert!(fewer.forbids(&asked).is_none() || forbidden.is_some());
                }
            }
        }
    }

    #[test]
    fn what_is_asked_fits_the_schema(case in case()) {
        let words = vocabulary().unwrap();
        let (request, entities) = Question::of(&case.asked(), words).unwrap().to_cedar(words).unwrap();
        vocabulary::conforms(words, &request, &entities);
    }
}
