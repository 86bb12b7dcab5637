//! Text of the demo when it is ready: a link, and things to try.

use super::{Furnished, TOKEN_FILE};
use crate::{context::Context, failure::Failure};
use serde_json::json;
use std::{collections::BTreeMap, path::Path};

pub fn welcome(
    context: &Context,
    furnished: &Furnished,
    folder: &Path,
    workspaces: &Path,
    (url, link): (&str, &str),
) -> Result<(), Failure> {
    let project = furnished.project.to_string();
    let token_file = folder.join(TOKEN_FILE).display().to_string();
    let workspace = workspaces.join(&project).display().to_string();
    let services: BTreeMap<&str, String> = furnished
        .services
        .iter()
        .map(|placed| (placed.service.system().name.as_str(), placed.service.url()))
        .collect();
    context.output.document(&json!({
        "url": url,
        "link": link,
        "project": project,
        "token_file": token_file,
        "workspace": workspace,
        "services": services,
    }))?;
    let program = std::env::args().next().unwrap_or_else(|| "wiiiv".to_owned());
    let told = services.iter().map(|(name, url)| format!("{name} {url}"));
    let listed = told.collect::<Vec<_>>().join(", ");
    let values = [
        ("url", url),
        ("link", link),
        ("project", &project),
        ("token_file", &token_file),
        ("workspace", &workspace),
        ("services", &listed),
        ("program", &program),
    ];
    let texts = &context.texts.demo;
    context.say(&texts.ready, &values)?;
    context.say(&texts.tour, &values)
}
