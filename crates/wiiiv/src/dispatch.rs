//! Runs the command that the command line names, and returns its exit code.

use crate::args::{
    ApprovalsCommand, Arguments, AuditCommand, Command, ConfigCommand, ContextCommand, DemoArgs,
    DemoCommand, ExecutionsCommand, GhostCommand, GhostKeyCommand, GhostKeysCommand, Global,
    KeysCommand, ModelsCommand, PolicyCommand, ProjectsCommand, RiskCommand, RolloutCommand,
    SessionsCommand, SystemsCommand, TokensCommand, UsersCommand, WebhookCommand,
};
use crate::commands::decide::Verdict;
use crate::commands::verify::{Known, Trust};
use crate::commands::{
    approvals, audit, audit_list, audit_send, chat, completions, config as show_config,
    context as long_context, decide, delegations, demo_link, doctor, edit, erasures, executions,
    fine_rules, ghost, grants, halts, init, keys, login, memory, models, overrides, policy,
    profile, projects, rag, risk, rollout, rotation, sessions, systems, tokens, trial, understand,
    usage, users, verify, webhook, why,
};
use crate::config::{Flags, load};
use crate::context::Context;
use crate::credentials::Credentials;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Output;
use crate::texts::{Texts, fill, language_of};
use crate::{complaint, connection, demo, help, misuse, preference, serve, telemetry};
use crate::{start::Ground, start_error::StartError};
use clap::FromArgMatches as _;
use secrecy::ExposeSecret as _;
use serde_json::json;
use std::io::Write as _;
use tokio::runtime::Builder;
use wiiiv_domain::Lang;
use wiiiv_server::{Demo, DemoLinks};

/// Of each worker. A turn is one deep future: a build for developers took nearly all of the usual two mebibytes for one
/// that met a new policy, and one that takes more ends the process. Only what is used is ever taken from the system.
const STACK_BYTES: usize = 8 << 20;

pub fn run() -> Exit {
    let given: Vec<String> =
        std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let arguments = given.iter().map(String::as_str);
    let language = language_of(arguments, preference::language(), locale().as_deref());
    let texts = match Texts::of(language) {
        Ok(texts) => texts,
        Err(error) => {
            let _unwritten = writeln!(std::io::stderr(), "{error}");
            return Exit::CheckFailed;
        }
    };
    let parsed = help::command(&texts).try_get_matches_from(std::env::args_os());
    let arguments = parsed.and_then(|matches| Arguments::from_arg_matches(&matches));
    match arguments {
        Ok(arguments) => perform(arguments, texts, language),
        Err(error) => refused(&error, &texts),
    }
}

/// By the parser, which has help told the same way.
fn refused(error: &clap::Error, texts: &Texts) -> Exit {
    misuse::print(error, texts);
    if error.use_stderr() { Exit::Usage } else { Exit::Done }
}

/// As POSIX has it: the first of these that is set and not empty.
fn locale() -> Option<String> {
    let set = |name: &&str| std::env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set)
}

fn perform(arguments: Arguments, texts: Texts, language: Lang) -> Exit {
    let Arguments { global, command } = arguments;
    let output = Output::new(global.json);
    let Global { server, language: asked_language, .. } = global;
    let chosen_language = asked_language.or_else(preference::language);
    let context = Context { output, texts, language, asked_language, chosen_language, server };
    let threads = Builder::new_multi_thread().enable_all().thread_stack_size(STACK_BYTES).build();
    let runtime = match threads {
        Ok(runtime) => runtime,
        Err(error) => return report(&context, &Failure::Output(error)),
    };
    let ended = runtime.block_on(execute(&context, command));
    // A thread that waits for a line of input would hold the process back.
    runtime.shutdown_background();
    ended.unwrap_or_else(|failure| report(&context, &failure))
}

fn report(context: &Context, failure: &Failure) -> Exit {
    if !failure.is_closed_pipe() {
        let text = complaint::text(context, failure);
        let _unwritten = writeln!(std::io::stderr(), "{text}");
    }
    failure.exit()
}

async fn execute(context: &Context, command: Command) -> Result<Exit, Failure> {
    match command {
        Command::Serve(flags) => serve_command(context, &flags).await,
        Command::Demo(args) => match args.command {
            Some(DemoCommand::Link) => demo_link::link(context).await,
            None => demo_command(context, &args).await,
        },
        Command::Init(args) => init::init(context, &args).await,
        Command::Login(args) => login::login(context, &args).await,
        Command::Logout => login::logout(context).await,
        Command::Chat(args) => chat::chat(context, &args).await,
        Command::Sessions(command) => on_sessions(context, command).await,
        Command::Approvals(command) => on_approvals(context, command).await,
        Command::Executions(command) => on_executions(context, command).await,
        Command::Halt(args) => halts::halt(context, &args).await,
        Command::Resume(args) => halts::resume(context, &args).await,
        Command::Halts => halts::list(context).await,
        Command::Risk(command) => on_risk(context, command).await,
        Command::Memory(command) => memory::run(context, &command).await,
        Command::Profile(command) => profile::run(context, &command).await,
        Command::Rag(command) => rag::run(context, &command).await,
        Command::Projects(command) => on_projects(context, command).await,
        Command::Users(command) => on_users(context, command).await,
        Command::Tokens(command) => on_tokens(context, command).await,
        Command::Policy(command) => on_policy(context, command).await,
        Command::Rollout(command) => on_rollout(context, command).await,
        Command::Systems(command) => on_systems(context, command).await,
        Command::Models(command) => on_models(context, command).await,
        Command::Keys(command) => on_keys(context, command).await,
        Command::Usage(args) => usage::usage(context, &args).await,
        Command::Why(args) => why::why(context, &args.decided, &args.project).await,
        Command::Audit(command) => on_audit(context, command).await,
        Command::Ghost(command) => on_ghost(context, command).await,
        Command::Context(ContextCommand::Eval(args)) => long_context::eval(context, &args).await,
        Command::Understand(args) => understand::understand(context, args),
        Command::Doctor(flags) => doctor::doctor(context, &flags).await,
        Command::Config(ConfigCommand::Show { origin, flags }) => {
            show_config::show(context, &flags, origin)
        }
        Command::Completions { shell } => completions::print(context, shell),
        Command::Help { topic } => Ok(help::of(&topic, &context.texts)
            .map_or(Exit::Done, |error| refused(&error, &context.texts))),
    }
}

async fn serve_command(context: &Context, flags: &Flags) -> Result<Exit, Failure> {
    let settings = load(flags)?.settings;
    let telemetry = telemetry::start(&settings)?;
    let ground = Ground::prepare(&settings, None).await?;
    let governor = crate::open::open(&ground, &settings).await?;
    let stop = serve::StopSignals::listen()?;
    let texts = &context.texts.serve;
    if !ground.address.ip().is_loopback() {
        context.output.aside(&texts.exposed)?;
    }
    let token = governor.store().setup_token().await.map_err(StartError::from)?;
    serve::announce(context, &ground.url(), token.as_ref())?;
    serve::run(governor, ground, &settings, (stop, telemetry), None).await?;
    context.output.aside(&texts.stopping)?;
    Ok(Exit::Done)
}

async fn demo_command(context: &Context, args: &DemoArgs) -> Result<Exit, Failure> {
    let demo::DemoHome { folder, settings, listener, taken } = demo::prepare(args).await?;
    let telemetry = telemetry::start(&settings)?;
    let ground = Ground::prepare(&settings, Some(listener)).await?;
    let governor = crate::open::open(&ground, &settings).await?;
    let furnished = demo::furnish(&governor, &folder).await?;
    let stop = serve::StopSignals::listen()?;
    let url = ground.url();
    let origin = connection::origin(&url)?;
    let token = (&furnished.token, None);
    Credentials::open()?.keep(&origin, demo::USER, token, Some(furnished.project))?;
    if let Some(port) = taken {
        let values = [("port", &*port.to_string()), ("url", &url)];
        context.output.aside(&fill(&context.texts.demo.other_port, &values))?;
    }
    let links = DemoLinks::default();
    let secret = links.renew().map_err(|error| StartError::Demo(error.to_string()))?;
    let link = demo::link(&url, secret.expose_secret());
    demo::welcome(context, &furnished, &folder, &ground.workspaces(), (&url, &link))?;
    let signed_in = Demo { user: furnished.user, project: furnished.project, links };
    serve::run(governor, ground, &settings, (stop, telemetry), Some(signed_in)).await?;
    Ok(Exit::Done)
}

async fn on_risk(context: &Context, command: RiskCommand) -> Result<Exit, Failure> {
    match command {
        RiskCommand::List => risk::list(context).await,
        RiskCommand::Show { conversation } => risk::show(context, &conversation).await,
        RiskCommand::Clear { conversation, reason } => {
            risk::clear(context, &conversation, &reason).await
        }
    }
}

async fn on_sessions(context: &Context, command: SessionsCommand) -> Result<Exit, Failure> {
    match command {
        SessionsCommand::List(project) => sessions::list(context, &project).await,
        SessionsCommand::Rename { conversation, title } => {
            sessions::change(context, &conversation, json!({ "title": title })).await
        }
        SessionsCommand::Pin { conversation, off } => {
            sessions::change(context, &conversation, json!({ "pinned": !off })).await
        }
        SessionsCommand::Delete { conversation } => sessions::delete(context, &conversation).await,
        SessionsCommand::Export { conversation, format, output } => {
            sessions::export(context, &conversation, format, output.as_deref()).await
        }
    }
}

async fn on_approvals(context: &Context, command: ApprovalsCommand) -> Result<Exit, Failure> {
    match command {
        ApprovalsCommand::List { state } => approvals::list(context, state.as_deref()).await,
        ApprovalsCommand::Show { approval } => approvals::show(context, &approval).await,
        ApprovalsCommand::Approve { decide: args, no_wait } => {
            decide::decide(context, &args, Verdict::Approve { wait: !no_wait }).await
        }
        ApprovalsCommand::Reject { decide: args, reason } => {
            decide::decide(context, &args, Verdict::Reject { reason: &reason }).await
        }
        ApprovalsCommand::Revoke { approval, reason } => {
            decide::revoke(context, &approval, &reason).await
        }
        ApprovalsCommand::Edit(args) => edit::edit(context, &args).await,
        ApprovalsCommand::Grant(args) => grants::give(context, &args).await,
        ApprovalsCommand::Grants(project) => grants::list(context, &project).await,
        ApprovalsCommand::RevokeGrant(args) => grants::revoke(context, &args).await,
        ApprovalsCommand::Delegate(args) => delegations::give(context, &args).await,
        ApprovalsCommand::Delegations(project) => delegations::list(context, &project).await,
        ApprovalsCommand::Undelegate(args) => delegations::end(context, &args).await,
        ApprovalsCommand::Webhook(WebhookCommand::Show(project)) => {
            webhook::show(context, &project).await
        }
        ApprovalsCommand::Webhook(WebhookCommand::Set { url, project }) => {
            webhook::set(context, &url, &project).await
        }
        ApprovalsCommand::Webhook(WebhookCommand::Remove(project)) => {
            webhook::remove(context, &project).await
        }
    }
}

async fn on_executions(context: &Context, command: ExecutionsCommand) -> Result<Exit, Failure> {
    match command {
        ExecutionsCommand::List(args) => executions::list(context, &args).await,
        ExecutionsCommand::Show { execution } => executions::show(context, &execution).await,
        ExecutionsCommand::Cancel { execution } => executions::cancel(context, &execution).await,
        ExecutionsCommand::Resolve { execution, step, resolution } => {
            executions::resolve(context, &execution, &step, resolution).await
        }
    }
}

async fn on_projects(context: &Context, command: ProjectsCommand) -> Result<Exit, Failure> {
    match command {
        ProjectsCommand::List => projects::list(context).await,
        ProjectsCommand::Create { name, stage } => {
            projects::create(context, &name, stage.as_deref()).await
        }
        ProjectsCommand::Members(args) => projects::members(context, &args).await,
    }
}

async fn on_users(context: &Context, command: UsersCommand) -> Result<Exit, Failure> {
    match command {
        UsersCommand::List => users::list(context).await,
        UsersCommand::Create { name, password_file, admin } => {
            users::create(context, &name, password_file.as_deref(), admin).await
        }
        UsersCommand::Close { user } => users::close(context, &user).await,
        UsersCommand::Open { user } => users::open(context, &user).await,
        UsersCommand::Password(args) => users::password(context, &args).await,
    }
}

async fn on_tokens(context: &Context, command: TokensCommand) -> Result<Exit, Failure> {
    match command {
        TokensCommand::List => tokens::list(context).await,
        TokensCommand::End { token: Some(token), .. } => tokens::end(context, &token).await,
        TokensCommand::End { token: None, .. } => tokens::end_others(context).await,
    }
}

async fn on_policy(context: &Context, command: PolicyCommand) -> Result<Exit, Failure> {
    match command {
        PolicyCommand::Show(project) => policy::show(context, &project).await,
        PolicyCommand::Set { file, reason, expected, project } => {
            policy::set(context, &file, &reason, expected.as_deref(), &project).await
        }
        PolicyCommand::Diff { file, replay, project } => {
            policy::diff(context, &file, replay, &project).await
        }
        PolicyCommand::Rules { file, reason, expected, project } => {
            policy::rules(context, &file, &reason, expected.as_deref(), &project).await
        }
        PolicyCommand::Override(command) => overrides::run(context, &command).await,
        PolicyCommand::Check { file } => fine_rules::check(context, &file),
        PolicyCommand::Profile { profile } => fine_rules::profile(context, profile.as_deref()),
    }
}

async fn on_rollout(context: &Context, command: RolloutCommand) -> Result<Exit, Failure> {
    match command {
        RolloutCommand::Show(project) => rollout::show(context, &project).await,
        RolloutCommand::Figures(args) => rollout::figures(context, &args).await,
        RolloutCommand::Divergences(args) => rollout::divergences(context, &args).await,
        RolloutCommand::Review(args) => rollout::review(context, &args).await,
        RolloutCommand::Waive(args) => rollout::waive(context, &args).await,
        RolloutCommand::Promote(args) => rollout::promote(context, &args).await,
        RolloutCommand::Demote(args) => rollout::demote(context, &args).await,
    }
}

async fn on_ghost(context: &Context, command: GhostCommand) -> Result<Exit, Failure> {
    match command {
        GhostCommand::List(selection) => ghost::list::list(context, &selection),
        GhostCommand::Run(args) => ghost::run::run(context, &args).await,
        GhostCommand::Record(args) => ghost::record::record(context, &args).await,
        GhostCommand::Coverage(args) => ghost::coverage::coverage(context, &args).await,
        GhostCommand::Report(args) => ghost::report::report(context, &args).await,
        GhostCommand::Services(args) => ghost::services::services(context, &args).await,
        GhostCommand::Key(GhostKeyCommand::New { runner_key_file }) => {
            ghost::runner_keys::make(context, &runner_key_file)
        }
        GhostCommand::Keys(GhostKeysCommand::Add { runner_key_name, public_key }) => {
            ghost::runner_keys::add(context, &runner_key_name, &public_key).await
        }
        GhostCommand::Keys(GhostKeysCommand::List) => ghost::runner_keys::list(context).await,
        GhostCommand::Keys(GhostKeysCommand::Revoke { runner_key_name }) => {
            ghost::runner_keys::revoke(context, &runner_key_name).await
        }
    }
}

async fn on_systems(context: &Context, command: SystemsCommand) -> Result<Exit, Failure> {
    match command {
        SystemsCommand::List(project) => systems::list(context, &project).await,
        SystemsCommand::Show(system) => systems::show(context, &system).await,
        SystemsCommand::Set { file, called, openapi, any_path, project } => {
            let source = systems::Source { file: &file, openapi: openapi.as_deref(), any_path };
            systems::set(context, &source, called, &project).await
        }
        SystemsCommand::Remove(system) => systems::remove(context, &system).await,
        SystemsCommand::Credential { system, remove: true, .. } => {
            systems::take_credential(context, &system).await
        }
        SystemsCommand::Credential { system, username, secret_file, remove: false } => {
            systems::credential(context, &system, username.as_deref(), secret_file.as_deref()).await
        }
        SystemsCommand::Test(system) => systems::test(context, &system).await,
    }
}

async fn on_models(context: &Context, command: ModelsCommand) -> Result<Exit, Failure> {
    match command {
        ModelsCommand::List => models::list(context).await,
        ModelsCommand::Effective(project) => models::effective(context, &project).await,
        ModelsCommand::Available(project) => models::available(context, &project).await,
        ModelsCommand::Discover => models::discover(context).await,
        ModelsCommand::Install { local_model, package, data_dir } => {
            models::install::install(context, local_model, package.as_deref(), data_dir).await
        }
        ModelsCommand::Try { slot, picture, project } => {
            trial::run(context, (slot, picture), &project).await
        }
    }
}

async fn on_keys(context: &Context, command: KeysCommand) -> Result<Exit, Failure> {
    match command {
        KeysCommand::List(holder) => keys::list(context, &holder).await,
        KeysCommand::Set { key, key_origin, secret_file } => {
            keys::set(context, &key, key_origin.as_deref(), secret_file.as_deref()).await
        }
        KeysCommand::Remove(key) => keys::remove(context, &key).await,
        KeysCommand::Verify(key) => keys::verify(context, &key).await,
        KeysCommand::Resolve(project) => keys::resolve(context, &project).await,
        KeysCommand::Rotate { begin_only } => rotation::rotate(context, !begin_only).await,
        KeysCommand::Rotation => rotation::show(context).await,
    }
}

async fn on_audit(context: &Context, command: AuditCommand) -> Result<Exit, Failure> {
    match command {
        AuditCommand::List(args) => audit_list::list(context, &args).await,
        AuditCommand::Export(args) => match &args.to {
            Some(to) => audit_send::send(context, &args, to).await,
            None => audit::export(context, &args).await,
        },
        AuditCommand::Key { output } => audit::key(context, output.as_deref()).await,
        AuditCommand::Receipt { execution, output } => {
            audit::receipt(context, &execution, output.as_deref()).await
        }
        AuditCommand::Verify { file, key, checkpoint, keep, feed, allow_unsigned } => {
            let trust = Trust { key: key.as_deref(), allow_unsigned };
            let known = Known { checkpoint: checkpoint.as_deref(), keep: keep.as_deref() };
            verify::export(context, (&file, feed), trust, known)
        }
        AuditCommand::Erase(args) => erasures::erase(context, &args).await,
        AuditCommand::Erasures => erasures::list(context).await,
        AuditCommand::VerifyReceipt { file, key, allow_unsigned } => {
            verify::receipt(context, &file, Trust { key: key.as_deref(), allow_unsigned })
        }
    }
}
