//! `policy check` and `policy profile`: fine rules without a server.

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::texts::fill;
use serde_json::json;
use std::path::Path;
use wiiiv_domain::FINE_RULES_BYTES_MAX;
use wiiiv_gate::{FINE_PROFILES, FineRules, RuleFault, RuleFaultCode};

/// Whether the file could be put in force as the fine rules of a policy.
pub fn check(context: &Context, file: &Path) -> Result<Exit, Failure> {
    let text = read(file)?;
    if let Some(refused) = refused(context, file, &text)? {
        return Ok(refused);
    }
    let count = FineRules::compile(&text).ok().flatten().map_or(0, |rules| rules.rules().len());
    let answer = json!({ "rules": count, "faults": [] });
    context.done(&answer, &context.texts.policy.rules_good, &[("count", &count.to_string())])
}

/// Each fault with its line and column; `None` where there is none.
pub fn refused(context: &Context, file: &Path, text: &str) -> Result<Option<Exit>, Failure> {
    let Err(faults) = FineRules::compile(text) else { return Ok(None) };
    context.output.document(&json!({ "faults": faults }))?;
    let file = file.display().to_string();
    for fault in &faults {
        let (line, column) = (fault.line.to_string(), fault.column.to_string());
        let why = told(context, fault);
        let values: [(&str, &str); 4] =
            [("file", &file), ("line", &line), ("column", &column), ("why", &why)];
        context.warn(&context.texts.policy.rules_fault, &values)?;
    }
    Ok(Some(Exit::CheckFailed))
}

/// What Cedar says is in English alone, as is its language.
fn told(context: &Context, fault: &RuleFault) -> String {
    let code = serde_json::to_value(fault.code).unwrap_or_default();
    let known = code.as_str().and_then(|code| context.texts.policy.rule_faults.get(code));
    let Some(known) = known else { return fault.message.clone() };
    match fault.code {
        RuleFaultCode::Syntax | RuleFaultCode::Invalid => {
            fill(known, &[("message", fault.message.as_str())])
        }
        RuleFaultCode::TooLong
        | RuleFaultCode::TooMany
        | RuleFaultCode::TooDeep
        | RuleFaultCode::Impossible
        | RuleFaultCode::Permit
        | RuleFaultCode::Template
        | RuleFaultCode::NoName
        | RuleFaultCode::BadName
        | RuleFaultCode::SameName
        | RuleFaultCode::Annotation
        | RuleFaultCode::Advice => known.clone(),
    }
}

/// The rules of a profile, to begin a file with; without a name, the names.
pub fn profile(context: &Context, name: Option<&str>) -> Result<Exit, Failure> {
    let names = || FINE_PROFILES.map(|(name, _)| name);
    let Some(name) = name else {
        context.output.document(&json!(names()))?;
        names().into_iter().try_for_each(|name| context.output.line(name))?;
        return Ok(Exit::Done);
    };
    let found = FINE_PROFILES.into_iter().find(|(known, _)| *known == name);
    let Some((name, text)) = found else {
        let known = names().join(", ");
        return Err(Failure::NoSuchProfile { name: name.to_owned(), known });
    };
    context.output.document(&json!({ "name": name, "fineRules": text }))?;
    context.output.part(text)?;
    Ok(Exit::Done)
}

pub fn read(file: &Path) -> Result<String, Failure> {
    let unreadable = Failure::unreadable(file);
    let length = std::fs::metadata(file).map_err(&unreadable)?.len();
    if usize::try_from(length).map_or(true, |length| length > FINE_RULES_BYTES_MAX) {
        let reason = format!("fine rules have at most `{FINE_RULES_BYTES_MAX}` bytes");
        return Err(Failure::Unreadable { path: file.to_owned(), reason });
    }
    std::fs::read_to_string(file).map_err(unreadable)
}
