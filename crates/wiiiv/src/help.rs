//! Puts the help texts of one language into the command line.

use crate::args::Arguments;
use crate::texts::{Texts, UsageTexts, fill};
use clap::builder::PossibleValue;
use clap::{Arg, ArgAction, Command, CommandFactory as _};

/// The whole command line with its help; whatever has no text is shown without one.
pub fn command(texts: &Texts) -> Command {
    let root = Arguments::command().about(texts.about.clone()).disable_version_flag(true);
    let version = Arg::new("version").short('V').long("version").action(ArgAction::Version);
    explained(root.arg(version), "", texts)
}

/// `help keys set` is `keys set --help`, as the parser has it: with an end of its own.
pub fn of(topic: &[String], texts: &Texts) -> Option<clap::Error> {
    let words = topic.iter().map(String::as_str);
    let words = ["wiiiv"].into_iter().chain(words).chain(["--help"]);
    command(texts).try_get_matches_from(words).err()
}

/// The parser's own headings are English.
fn template(usage: &UsageTexts) -> String {
    format!(
        "{{before-help}}{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}",
        usage.heading
    )
}

fn explained(command: Command, path: &str, texts: &Texts) -> Command {
    // Its own, so that it has a text like any other.
    let help = Arg::new("help").short('h').long("help").action(ArgAction::Help);
    let command = command
        .disable_help_flag(true)
        .arg(help)
        .help_template(template(&texts.usage))
        .subcommand_help_heading(texts.usage.commands.clone());
    command.mut_args(|arg| described(arg, texts)).mut_subcommands(|sub| {
        let path = join(path, sub.get_name());
        let sub = match texts.commands.get(&path) {
            Some(about) => sub.about(about.clone()),
            None => sub,
        };
        explained(sub, &path, texts)
    })
}

/// An option means the same wherever it stands.
fn described(arg: Arg, texts: &Texts) -> Arg {
    let usage = &texts.usage;
    let heading = if arg.is_positional() { &usage.arguments } else { &usage.options };
    let arg = arg.help_heading(heading.clone());
    // Said in the reader's language below.
    let valued = arg.get_action().takes_values();
    let arg = if valued { arg.hide_possible_values(true).hide_default_value(true) } else { arg };
    match texts.options.get(arg.get_id().as_str()) {
        Some(text) => {
            let parts = [Some(text.clone()), possible(&arg, usage), default(&arg, usage)];
            arg.help(parts.into_iter().flatten().collect::<Vec<_>>().join(" "))
        }
        None => arg,
    }
}

fn possible(arg: &Arg, usage: &UsageTexts) -> Option<String> {
    let values = arg.get_possible_values();
    let values: Vec<&str> = values.iter().map(PossibleValue::get_name).collect();
    let shown = arg.get_action().takes_values() && !values.is_empty();
    shown.then(|| format!("[{}]", fill(&usage.possible, &[("values", &values.join(", "))])))
}

fn default(arg: &Arg, usage: &UsageTexts) -> Option<String> {
    let value = arg.get_default_values().first()?.to_str()?;
    let shown = arg.get_action().takes_values() && !value.is_empty();
    shown.then(|| format!("[{}]", fill(&usage.default, &[("value", value)])))
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path} {name}") }
}

#[cfg(test)]
mod tests {
    use super::{command, of};
    use crate::texts::Texts;
    use clap::Command;
    use wiiiv_domain::Lang;

    fn silent(command: &Command, path: &str, found: &mut Vec<String>) {
        for arg in command.get_arguments().filter(|arg| arg.get_help().is_none()) {
            found.push(format!("{path} --{}", arg.get_id()));
        }
        for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
            let path = format!("{path} {}", sub.get_name());
            if sub.get_about().is_none() {
                found.push(path.clone());
            }
            silent(sub, &path, found);
        }
    }

    #[test]
    fn every_command_and_option_is_explained_in_both_languages() {
        for language in Lang::ALL {
            let whole = command(&Texts::of(language).unwrap());
            whole.clone().debug_assert();
            let mut found = Vec::new();
            silent(&whole, "wiiiv", &mut found);
            assert_eq!(found, Vec::<String>::new(), "{language}");
        }
    }

    #[test]
    fn korean_help_has_no_english_heading() {
        let mut whole = command(&Texts::of(Lang::Ko).unwrap());
        let root = whole.render_help().to_string();
        let list = whole.find_subcommand_mut("approvals").unwrap();
        let list = list.find_subcommand_mut("list").unwrap().render_help().to_string();
        for word in ["Usage:", "Commands:", "Options:", "Arguments:", "[possible", "[default"] {
            assert!(!root.contains(word) && !list.contains(word), "{word}: {root}{list}");
        }
        assert!(root.contains("사용법: wiiiv") && root.contains("명령:"), "{root}");
        assert!(list.contains("[쓸 수 있는 값: pending, approved"), "{list}");
    }

    #[test]
    fn help_is_asked_for_by_name_too() {
        let topic =
            |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        for (words, named) in [
            (&["keys"][..], "wiiiv keys"),
            (&["keys", "set"], "wiiiv keys set"),
            (&[], "wiiiv [OPTIONS] <COMMAND>"),
            (&["help"], "wiiiv help"),
        ] {
            for (language, heading) in [(Lang::Ko, "사용법:"), (Lang::En, "Usage:")] {
                let told = of(&topic(words), &Texts::of(language).unwrap()).unwrap();
                assert!(!told.use_stderr(), "{told}");
                let told = told.to_string();
                assert!(told.contains(&format!("{heading} {named}")), "{told}");
            }
        }
        let unknown = of(&topic(&["kyes"]), &Texts::of(Lang::En).unwrap()).unwrap();
        assert!(unknown.use_stderr(), "{unknown}");
    }

    #[test]
    fn no_text_explains_what_is_not_there() {
        let mut names = Vec::new();
        collect(&command(&Texts::of(Lang::En).unwrap()), "", &mut names);
        for language in Lang::ALL {
            let texts = Texts::of(language).unwrap();
            for key in texts.commands.keys().chain(texts.options.keys()) {
                assert!(names.contains(key), "{language}: `{key}`");
            }
        }
    }

    fn collect(command: &Command, path: &str, names: &mut Vec<String>) {
        names.extend(command.get_arguments().map(|arg| arg.get_id().to_string()));
        for sub in command.get_subcommands() {
            let path = super::join(path, sub.get_name());
            names.push(path.clone());
            collect(sub, &path, names);
        }
    }
}
