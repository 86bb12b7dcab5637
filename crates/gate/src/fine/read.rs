//! A text of rules: parsed, held to what a rule may be, and validated against the schema.

use super::{
    fault::{RuleFault, RuleFaultCode},
    nesting,
    rule::FineRule,
    vocabulary::Vocabulary,
};
use cedar_policy_core::{
    ast::{Effect, Policy, Template},
    parser::parse_policyset,
    validator::{ValidationMode, ValidationWarning},
};
use miette::Diagnostic;
use std::collections::BTreeSet;
use wiiiv_domain::{FINE_RULES_BYTES_MAX, FINE_RULES_MAX, FineRuleName};

/// Faults that are told of one text.
const FAULTS_MAX: usize = 20;
/// The longest advice of a rule, in characters.
const ADVICE_CHARS_MAX: usize = 200;
const ADVICE: [&str; 3] = ["advice", "advice_ko", "advice_en"];

pub(super) fn rules(text: &str, words: &Vocabulary) -> Result<Vec<FineRule>, Vec<RuleFault>> {
    if text.len() > FINE_RULES_BYTES_MAX {
        let message = format!("these rules have more than `{FINE_RULES_BYTES_MAX}` bytes");
        let code = RuleFaultCode::TooLong;
        return Err(vec![RuleFault::at(text, FINE_RULES_BYTES_MAX, code, &message)]);
    }
    nesting::check(text).map_err(|fault| vec![fault])?;
    let parsed = parse_policyset(text).map_err(|errors| {
        told(errors.iter().map(|error| of_cedar(text, RuleFaultCode::Syntax, error)).collect())
    })?;
    let mut faults = Vec::new();
    for template in parsed.templates() {
        let message = "a rule names whom it is about: there is no `?principal` and no `?resource`";
        let at = start_of(template);
        faults.push(RuleFault::at(text, at, RuleFaultCode::Template, message));
    }
    let mut own: Vec<Policy> = parsed.static_policies().cloned().collect();
    own.sort_by_key(|policy| start_of(policy.template()));
    if let Some(next) = own.get(FINE_RULES_MAX) {
        let message = format!("there are more than `{FINE_RULES_MAX}` rules");
        let at = start_of(next.template());
        return Err(vec![RuleFault::at(text, at, RuleFaultCode::TooMany, &message)]);
    }
    let mut names = BTreeSet::new();
    let mut rules = Vec::with_capacity(own.len());
    for policy in own {
        match rule(text, policy, &mut names) {
            Ok(rule) => rules.push(rule),
            Err(found) => faults.push(found),
        }
    }
    let validated = words.validator().validate(&parsed, ValidationMode::Strict);
    let errors = validated.validation_errors();
    faults.extend(errors.map(|error| of_cedar(text, RuleFaultCode::Invalid, error)));
    // What speaks of nothing in the schema never applies either: that is no second fault.
    let known = validated.validation_passed();
    let impossible =
        |of: &dyn Diagnostic| known.then(|| of_cedar(text, RuleFaultCode::Impossible, of));
    let idle = validated.validation_warnings().filter_map(|warning| match warning {
        ValidationWarning::ImpossiblePolicy(of) => impossible(of),
        // No action of the schema has such a principal and such a resource.
        ValidationWarning::InvalidActionApplication(of) => impossible(of),
        // Characters that change how the text is read.
        ValidationWarning::BidiCharsInString(of) => {
            Some(of_cedar(text, RuleFaultCode::Invalid, of))
        }
        ValidationWarning::BidiCharsInIdentifier(of) => {
            Some(of_cedar(text, RuleFaultCode::Invalid, of))
        }
        // Korean beside Latin is usual here.
        ValidationWarning::MixedScriptString(_)
        | ValidationWarning::MixedScriptIdentifier(_)
        | ValidationWarning::ConfusableIdentifier(_) => None,
    });
    faults.extend(idle);
    if faults.is_empty() { Ok(rules) } else { Err(told(faults)) }
}

fn rule(
    text: &str,
    policy: Policy,
    names: &mut BTreeSet<FineRuleName>,
) -> Result<FineRule, RuleFault> {
    let start = start_of(policy.template());
    let fault = |code, message: &str| RuleFault::at(text, start, code, message);
    if policy.effect() == Effect::Permit {
        let message = "a rule forbids: what is allowed stands in the lists of the policy; write \
                       `forbid (…) unless { … }`";
        return Err(fault(RuleFaultCode::Permit, message));
    }
    let mut name = None;
    let mut advice = [None, None, None];
    for (key, annotation) in policy.annotations() {
        let (key, value) = (key.as_ref(), annotation.val.as_str());
        let at = annotation.loc.as_ref().map_or(start, |loc| loc.start());
        let fault = |code, message: &str| RuleFault::at(text, at, code, message);
        if key == "id" {
            let parsed = FineRuleName::parse(value);
            name = Some(parsed.map_err(|e| fault(RuleFaultCode::BadName, &e.to_string()))?);
            continue;
        }
        let place = ADVICE.iter().position(|known| *known == key);
        let Some(place) = place.and_then(|at| advice.get_mut(at)) else {
            let message = format!(
                "`@{key}` means nothing here; there are `@id`, `@advice`, `@advice_ko` and \
                 `@advice_en`"
            );
            return Err(fault(RuleFaultCode::Annotation, &message));
        };
        let value = value.trim();
        let plain = value.chars().all(|c| !c.is_control());
        if value.is_empty() || value.chars().count() > ADVICE_CHARS_MAX || !plain {
            let message =
                format!("an advice is one line of at most `{ADVICE_CHARS_MAX}` characters");
            return Err(fault(RuleFaultCode::Advice, &message));
        }
        *place = Some(value.to_owned());
    }
    let Some(name) = name else {
        let message = "a rule needs a name: write `@id(\"no-deletes\")` above it";
        return Err(fault(RuleFaultCode::NoName, message));
    };
    if !names.insert(name.clone()) {
        let message = format!("another rule is called `{name}` too");
        return Err(fault(RuleFaultCode::SameName, &message));
    }
    Ok(FineRule::new(name, advice, policy))
}

fn start_of(template: &Template) -> usize {
    template.loc().map_or(0, |loc| loc.start())
}

/// In the order of the text, each kind once at a place.
fn told(mut faults: Vec<RuleFault>) -> Vec<RuleFault> {
    faults.sort();
    faults.dedup_by_key(|fault| (fault.line, fault.column, fault.code));
    faults.truncate(FAULTS_MAX);
    faults
}

fn of_cedar(text: &str, code: RuleFaultCode, error: &dyn Diagnostic) -> RuleFault {
    let label = error.labels().and_then(|mut labels| labels.next());
    let at = label.map_or(0, |label| label.offset());
    let said = error.to_string();
    // Cedar names a rule by its number, which stands nowhere in the text.
    let bare = said.strip_prefix("for policy `").and_then(|rest| rest.split_once("`, "));
    let mut message = bare.map_or(said.as_str(), |(_, rest)| rest).to_owned();
    if let Some(help) = error.help() {
        message.push_str("; ");
        message.push_str(&help.to_string());
    }
    RuleFault::at(text, at, code, &message)
}
