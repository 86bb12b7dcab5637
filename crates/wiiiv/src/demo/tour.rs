//! What the demo prints when it is ready: one address, and ways to try it.

use super::{Furnished, TOKEN_FILE};
use crate::context::Context;
use crate::failure::Failure;
use crate::texts::fill;
use serde_json::json;
use std::path::Path;

/// `url`: of the server; `shop`: of the service that plans may call.
pub fn welcome(
    context: &Context,
    furnished: &Furnished,
    folder: &Path,
    workspaces: &Path,
    (url, shop): (&str, &str),
) -> Result<(), Failure> {
    let project = furnished.project.to_string();
    let token_file = folder.join(TOKEN_FILE).display().to_string();
    let workspace = workspaces.join(&project).display().to_string();
    context.output.document(&json!({
        "url": url,
        "project": project,
        "token_file": token_file,
        "workspace": workspace,
        "shop": shop,
    }))?;
    let program = std::env::args().next().unwrap_or_else(|| "wiiiv".to_owned());
    let values = [
        ("url", url),
        ("project", &project),
        ("token_file", &token_file),
        ("workspace", &workspace),
        ("shop", shop),
        ("program", &program),
    ];
    let texts = &context.texts.demo;
    context.output.line(&fill(&texts.ready, &values))?;
    context.output.line(&fill(&texts.tour, &values))
}
