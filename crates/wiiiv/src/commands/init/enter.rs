//! Makes the administrator, logs in, or uses the existing log-in.

use crate::{
    account::{self, Entry},
    args::InitArgs,
    commands::init::answers::{asks, given},
    connection::{self, Connection, flag, parsed, path, text},
    context::Context,
    failure::Failure,
    secret,
};
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::Value;
use wiiiv_domain::ProjectId;
use wiiiv_net::{ApiCall, ApiClient};

/// Times that two passwords may differ.
const PASSWORDS_MAX: u32 = 3;
const UNAUTHENTICATED: u16 = 401;

/// Who has entered, and where.
pub struct Entered {
    pub connection: Connection,
    pub origin: String,
    pub user: String,
    pub name: String,
    pub administrator: bool,
    /// The person's own.
    pub project: ProjectId,
}

pub async fn enter(context: &Context, args: &InitArgs) -> Result<Entered, Failure> {
    let address = connection::address(context)?;
    let client = ApiClient::new(&address, None)?.in_language(context.language.as_str());
    let info = client.send(ApiCall::get(path("/info"))).await?.body;
    let set_up = info.get("set_up").and_then(Value::as_bool);
    let set_up = set_up.ok_or(Failure::Answer { field: "set_up" })?;
    if set_up && let Some(entered) = as_before(context, args).await? {
        let values = [("origin", entered.origin.as_str()), ("name", &entered.name)];
        context.say(&context.texts.init.already, &values)?;
        return Ok(entered);
    }
    let texts = &context.texts.init;
    let token = if set_up { None } else { Some(setup_token(context, args)?) };
    let name = given(context, args.name.as_deref(), (&texts.ask_name, "--name"))?;
    let password = password(context, args, token.is_some())?;
    let entry = Entry { name: &name, password: &password, project: None };
    if let Some(token) = token {
        account::set_up(&client, &entry, &token).await?;
    }
    account::log_in(context, &client, &entry).await?;
    let entered = look(Connection::open(context)?, connection::origin(&address)?).await?;
    let values = [("origin", entered.origin.as_str()), ("name", &name), ("user", &entered.user)];
    context.say(&context.texts.login.done, &values)?;
    Ok(entered)
}

/// A log-in that still holds, unless somebody else is named.
async fn as_before(context: &Context, args: &InitArgs) -> Result<Option<Entered>, Failure> {
    let origin = connection::origin(&connection::address(context)?)?;
    let connection = match Connection::open(context) {
        Ok(connection) => connection,
        Err(Failure::NotLoggedIn { .. }) => return Ok(None),
        Err(failure) => return Err(failure),
    };
    match look(connection, origin).await {
        Ok(entered) => {
            let same = args.name.as_ref().is_none_or(|name| *name == entered.name);
            Ok(same.then_some(entered))
        }
        Err(failure) if failure.status() == Some(UNAUTHENTICATED) => Ok(None),
        Err(failure) => Err(failure),
    }
}

async fn look(connection: Connection, origin: String) -> Result<Entered, Failure> {
    let me = connection.get("/auth/me").await?;
    Ok(Entered {
        origin,
        user: text(&me, "user").to_owned(),
        name: text(&me, "name").to_owned(),
        administrator: flag(&me, "admin"),
        project: parsed(&me, "personal_project")?,
        connection,
    })
}

fn setup_token(context: &Context, args: &InitArgs) -> Result<SecretString, Failure> {
    let file = args.setup_token_file.as_deref();
    if file.is_none() && !asks(context) {
        return Err(Failure::NotGiven { flag: "--setup-token-file" });
    }
    Ok(secret::given(file, &context.texts.login.ask_setup_token)?)
}

/// A new one that is typed is typed twice: nobody sees it.
fn password(context: &Context, args: &InitArgs, fresh: bool) -> Result<SecretString, Failure> {
    let texts = &context.texts;
    let file = args.password_file.as_deref();
    if file.is_some() || !fresh || !asks(context) {
        return Ok(secret::given(file, &texts.login.ask_password)?);
    }
    for _ in 0..PASSWORDS_MAX {
        let one = secret::from_input(&texts.login.ask_password)?;
        let other = secret::from_input(&texts.init.ask_password_again)?;
        if one.expose_secret() == other.expose_secret() {
            return Ok(one);
        }
        context.output.aside(&texts.init.passwords_differ)?;
    }
    Err(Failure::NotGiven { flag: "--password-file" })
}
