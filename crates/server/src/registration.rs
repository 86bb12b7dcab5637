//! Makes a system from a client's input: the address in one form, the operations from a list or an
//! OpenAPI document.

mod address;
pub(crate) mod allowed;
mod import;

use crate::{
    dto::registration::{BaseUrlInput, PutSystem},
    problem::Problem,
};
pub(crate) use address::is_private;
use address::{parsed, tidied};
use wiiiv_domain::{
    BaseUrl, Operation, Parameter, ParameterPlace, System, SystemError, SystemName,
};

/// Kept to every rule of a registration, or refused with the field that does not.
pub(crate) fn system(name: SystemName, put: PutSystem) -> Result<System, Problem> {
    let PutSystem { name: said, version, aliases, base_url, authentication, risk, .. } = &put;
    if said.as_ref().is_some_and(|said| *said != name) {
        return Err(Problem::field("name", format!("the address names `{name}`")));
    }
    if version.is_some_and(|version| version != System::VERSION) {
        return Err(Problem::field("version", format!("this server knows `{}`", System::VERSION)));
    }
    let system = System {
        version: System::VERSION,
        aliases: aliases.clone(),
        base_url: address(base_url)?,
        authentication: authentication.0.clone(),
        any_path: put.any_path,
        risk: *risk,
        operations: operations(put)?,
        name,
    };
    system.check().map_err(|error| refused(&error))?;
    Ok(system)
}

fn address(input: &BaseUrlInput) -> Result<BaseUrl, Problem> {
    let read = match input {
        BaseUrlInput::Text(text) => parsed(text),
        BaseUrlInput::Parts(parts) => tidied(parts.clone()),
    };
    read.map_err(|why| Problem::field("baseUrl", why))
}

fn operations(put: PutSystem) -> Result<Vec<Operation>, Problem> {
    let listed = match (put.operations, put.openapi) {
        (Some(_), Some(_)) => {
            let reason = "give `operations` or `openapi`, not both";
            return Err(Problem::field("openapi", reason));
        }
        (Some(operations), None) => operations,
        (None, Some(document)) => import::operations(&document)
            .map_err(|error| Problem::field("openapi", error.to_string()))?,
        (None, None) => Vec::new(),
    };
    let is_odd =
        |o: &&Operation| o.body.as_ref().is_some_and(|body| !wiiiv_hlx::is_schema(&body.schema));
    if let Some(odd) = listed.iter().find(is_odd) {
        let reason = format!("operation `{}`: the schema of its body is no JSON Schema", odd.id);
        return Err(Problem::field("operations", reason));
    }
    Ok(listed.into_iter().map(with_path_parameters).collect())
}

/// What stands in braces is a parameter, said or not, and always needed.
fn with_path_parameters(mut operation: Operation) -> Operation {
    let in_path = |p: &Parameter| p.place == ParameterPlace::Path;
    for parameter in operation.parameters.iter_mut().filter(|p| in_path(p)) {
        parameter.required = true;
    }
    for segment in operation.path.split('/') {
        let name = segment.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
        let said = |name| operation.parameters.iter().any(|p| in_path(p) && p.name == name);
        if let Some(name) = name.filter(|name| !said(*name)) {
            let name = name.to_owned();
            let parameter = Parameter { name, place: ParameterPlace::Path, required: true };
            operation.parameters.push(parameter);
        }
    }
    operation
}

/// The field that the words speak of.
pub(crate) fn refused(error: &SystemError) -> Problem {
    let field = match error {
        SystemError::Name(_) => "name",
        SystemError::TooMany { field, .. } | SystemError::Label { field } => field,
        SystemError::Twice(_) => "aliases",
        SystemError::Operation { .. } => "operations",
        SystemError::BaseUrl(_) => "baseUrl",
        SystemError::Authentication(_) => "authentication",
    };
    Problem::field(field, error.to_string())
}
