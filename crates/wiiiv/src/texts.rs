//! Texts of the command line in both languages, from `config/messages`.

use serde::Deserialize;
use std::collections::BTreeMap;
use wiiiv_domain::Lang;

const KO: &str = include_str!("../../../config/messages/cli.ko.toml");
const EN: &str = include_str!("../../../config/messages/cli.en.toml");

#[derive(Debug, thiserror::Error)]
#[error("the texts of `{language}` are broken: {reason}")]
pub struct TextsError {
    language: Lang,
    reason: String,
}

/// Every text that the program says, or it does not start: a missing one is found by the tests.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Texts {
    pub about: String,
    /// By path, as `audit verify`.
    pub commands: BTreeMap<String, String>,
    /// By name; an option means the same everywhere.
    pub options: BTreeMap<String, String>,
    pub usage: UsageTexts,
    pub failure: FailureTexts,
    pub login: LoginTexts,
    pub chat: ChatTexts,
    pub list: ListTexts,
    pub approvals: ApprovalTexts,
    pub grants: GrantTexts,
    pub delegations: DelegationsTexts,
    pub webhook: WebhookTexts,
    pub people: PeopleTexts,
    pub tokens: TokensTexts,
    pub halts: HaltsTexts,
    pub risk: RiskTexts,
    pub memory: MemoryTexts,
    pub profile: ProfileTexts,
    pub rag: RagTexts,
    pub init: InitTexts,
    pub policy: PolicyTexts,
    pub overrides: OverrideTexts,
    pub rollout: RolloutTexts,
    pub systems: SystemsTexts,
    pub models: ModelsTexts,
    pub local_models: LocalModelsTexts,
    pub keys: KeysTexts,
    pub spending: SpendingTexts,
    pub rotation: RotationTexts,
    pub why: WhyTexts,
    pub audit: AuditTexts,
    pub erasures: ErasuresTexts,
    pub understand: UnderstandTexts,
    pub doctor: DoctorTexts,
    pub serve: ServeTexts,
    pub demo: DemoTexts,
    pub ghost: GhostTexts,
    pub context: ContextTexts,
    pub rag_eval: RagEvalTexts,
}

/// The sections: each a list of texts, then of tables, which hold texts by a name of something.
macro_rules! sections {
    ($($(#[$about:meta])* $section:ident {
        $($(#[$text_doc:meta])* $text:ident),+
        $(; $($(#[$table_doc:meta])* $table:ident),+)?
    })+) => {$(
        $(#[$about])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $section {
            $($(#[$text_doc])* pub $text: String,)+
            $($($(#[$table_doc])* pub $table: BTreeMap<String, String>,)+)?
        }
    )+};
}

sections! {
    FailureTexts {
        title_of_one,
        prefix, advice, trace, not_logged_in, unreachable, no_master_key, no_such_profile, no_such_project,
        which_project, several_named, not_of_project, other_scope, no_such_id, several_ids, no_session, no_form,
        no_field, no_digest, other_digest, unseen, wait, no_such_user, no_such_account,
        no_such_provider, provider_not_ready, no_scenario_folder, no_talk_folder, no_set_folder,
        no_hits, no_hit_text,
        grant_window, exists, not_given, no_document, see_documents, no_passage, see_passages,
        no_such_decision, no_decision, name_project,
        no_such_member, invalid_policy, delegation_over, look_again, look, not_kept,
        not_waiting, none_waits, empty_input,
        secret_unreadable, secret_exposed, secret_unwritable, secret_missing,
        /// Of the keys that runners of GHOST sign with.
        runner_key_there, runner_unknown, no_such_runner_key,
        /// Of files, and of models that are files.
        unreadable, unwritable, not_installed, no_embedder;
        /// Why, by the kind of the system's error.
        io
    }
    UnderstandTexts { signal, task, none, negated, later, asks, left, declined, confidence }
    /// How the command line is read, and what is wrong with one.
    UsageTexts {
        heading, commands, arguments, options, possible, default, unexpected, unknown_command,
        missing_command, required, invalid_value, no_value, too_many_values, conflict, not_utf8,
        unreadable, range, instant, id, quote, similar, more
    }
    GrantTexts {
        head, until, between, step, recipient, any_text, used, revoked;
        /// By what is printed of them.
        states, kinds,
        /// Of steps.
        types
    }
    DelegationsTexts {
        delegator, delegate, from, until, reason, given, ended;
        /// By what the server calls them.
        states
    }
    WebhookTexts {
        none, is, delivery, set, removed;
        /// Of deliveries.
        states
    }
    PeopleTexts {
        name, kind, roles, disabled, administrator, personal, user_created, project_created,
        member_set, member_removed, user_closed, user_opened, ask_old_password, ask_new_password,
        password_changed
    }
    TokensTexts {
        login, client, token, scope, full, read, until, note, current, ended_at, ended, others_ended
    }
    HaltsTexts {
        scope, by, reason, halted, resumed, told, resumable, yours, over;
        /// By what the server calls them.
        scopes,
        /// Who may resume it, by its scope.
        resumers
    }
    RiskTexts {
        owner, score, signals, count, found_in, held, free, cleared_by, cleared;
        /// By what the server calls them.
        sources
    }
    MemoryTexts {
        nothing, stands, others, same, ask, left, kept, version, edited, said, before_gone, draft,
        editor_failed
    }
    ProfileTexts {
        off, nothing, unfilled, safety, older, from, until, waits, no_value, contradicts, takes_back, ask, asks,
        kept, same, accepted, dropped, undone, version, edited, said, before_gone, erase_ask, erased, left;
        /// By what the server calls them.
        ops,
        /// What made a version, by what the server calls it.
        hows
    }
    InitTexts {
        ask_language, ask_name, ask_password_again, passwords_differ, already, providers,
        ask_provider, ask_model, model_set, trying, test_title, test_message, test_failed, done
    }
    LoginTexts { ask_password, ask_setup_token, done, out, was_not }
    ChatTexts {
        welcome, prompt, decide, pending, pending_other, decision, citation, citation_page, citation_slide,
        citation_version, citation_stale, corrected,
        exported_citations, exported_citation,
        step_started, step_finished, denied, cancelled, error, cancelling, broken_off, unreadable, field, fill_in, fill_later,
        continue_with, changed, deleted, you, continues, no_examples, refused_example;
        /// To a question, by what the server calls them.
        answers
    }
    ListTexts {
        none, id, state, at, title, digest, expires, plan, requester, approver, decider, step,
        attempt, outcome, in_doubt, cut_short;
        /// Of runs and steps.
        states,
        /// Of steps that were stopped, by who stopped them.
        stops
    }
    ApprovalTexts {
        head, asked_by, decided_by, reason_given, gone, ask, approved, undecided, denied, runs_on,
        succeeded, failed, stopped, in_doubt, rejected, left, cancelled, resolved, tally, said_by,
        escalated, counted, edited, changeable, value, edited_by, changed_value, edit_note,
        on_behalf, said_by_for, answers_for, grantable, grantable_step, grantable_whole,
        not_grantable, grant_refused, counts_no_more, not_counted, revoked_by, unsaid, revoked,
        approved_beside, edited_beside, unused, untold;
        /// By what the server calls them.
        states, grant_reasons
    }
    PolicyTexts {
        version, set, same, judged, erased, other_rules, more, ruling, run, task_type, would,
        rules_good, rules_fault, early, refused_calls, untold, steps_not_judged;
        kinds, asks,
        /// Of requests that came to no plan, by what would have become of them.
        fates,
        /// By their code.
        rule_faults,
        /// Of a version, by what the server calls them.
        notices
    }
    OverrideTexts {
        scope, by, with, until, reason, shown, shown_with, proposed, approved, ended, withdrawn;
        /// By what the server calls them.
        states, scopes
    }
    RolloutTexts {
        stage, counted, bound, run, no_model, waiver_waits, waiver_whole, ready, not_ready,
        reason_line, alarm, record, times, consensus, concerns, made_in, verdict, reviewed,
        waiver_asked, waiver_joined, no_waiver, promoted, demoted, task, why,
        /// Of rates, and of what became of what was reviewed.
        days, truncated, model, day, evaluated, objected, share, right, wrong, unreviewed,
        not_recorded, let_through, divergent, ran, not_run;
        /// By what the server calls them.
        stages, reasons, verdicts
    }
    LocalModelsTexts {
        fetching, installed, free, able,
        /// Why nothing was installed.
        no_pip, not_fetched, slow, changed, not_in_it, is_folder, incomplete, no_space
    }
    /// Of documents.
    RagTexts {
        scope, everybody, mine, file, size, version, changed, author, origin, folder, stale, number, passage, passages, chunks,
        reason, page_head, slide_head, page, slide, chunk, has_vector, no_vector, changed_since, no_version, removed, renamed, cancelled, cancelled_there,
        reembedding, reembed_none, lexical_only, leaves, stays,
        /// While files are added, and what became of each.
        adds_to, sending, queue_full, queued, ready, replaced, not_read, was_cancelled, not_added, absent, unreadable, no_file, same_name, no_files,
        sum, sum_queued,
        /// Of searches, and how they went.
        searched, searched_no_project, other_projects, nothing_found, nearest, compared, compared_nothing, formatted, words, lexical, dense, ran, off, rank, score, votes, yes, no, relevance;
        /// Of ingests, by what the server calls them.
        states,
        /// Why an ingest failed, by its code, where the file is not why.
        codes,
        /// Why a leg did not run.
        offs,
        /// Why a project's documents were not compared as its policy has it.
        not_compared
    }
    ModelsTexts {
        provider, model, origin, recommended, price, price_unit, window, abilities, unknown,
        minimum, value, best, unpriced, is_unpriced, line, fallback, reads,
        /// Where nobody said how many tokens.
        reads_unknown,
        /// Of the provider's list, with a key or without one.
        listed, list_refused, list_unreachable, exact, estimated, state, ghost, verified,
        not_verified,
        /// `{task}`, `{standing}`; `{ids}`.
        type_line, type_required, excluded,
        /// `{provider}`, `{model}`.
        fallback_here,
        /// `{slot}`, `{provider}`, `{model}`, `{origin}`.
        slot_line, slot_here, slot_follows, slot_empty,
        /// `{suggested}`.
        slot_suggested, tried, tried_vectors, not_answered, saw, saw_nothing, trial_used,
        /// `{cost}`.
        trial_untold;
        /// By what is found of a provider.
        states,
        /// By the slot's name.
        slots,
        /// By the kind of failure.
        failures,
        /// By where a value comes from.
        from,
        /// By the field that says so.
        able,
        /// By what the ledger says.
        standing,
        /// By the part of a case that differs.
        part
    }
    SpendingTexts {
        days, own, own_part, nothing, group, calls, tokens, money, doubts, total, nobody, open,
        estimated, unpriced, truncated, budget, state, of_cap, no_cap;
        /// By the window's name.
        windows, states
    }
    KeysTexts {
        provider, key, origin, verdict, checked, ask_secret, set, not_approved, removed, none,
        none_elsewhere, accepted, refused, unreachable, unapproved, used, missing, without;
        /// By whose key it is.
        holders,
        /// By what became of a source.
        states
    }
    RotationTexts { never, going, progress, unreadable, row, done, certificate, then }
    SystemsTexts {
        name, origin, credential, allowed, aliases, yes, no, head, any_path, covered, uncovered,
        set, removed, ask_secret, credential_set, credential_removed, reached, redirected,
        not_reached
    }
    WhyTexts {
        request, no_request, intent, erased, risky, risky_only, not_risky, risk_unknown, review, no_review,
        opinion, by_rules, rule, plan, call, ruling, gate, granted, approved, revoked, rejected, allowed,
        denied, undecided, ended, stopped, yours, versions,
        /// Of what a model was shown.
        seen, counted, estimated, part, used, granted_tokens, dropped, less, documents, no_documents,
        /// Of an answer that was looked at before it was given.
        answer, finding, nothing_found, refined, as_it_was, left_out;
        /// By what the server calls them.
        panels, subjects, outcomes, proofs, roles, parts, answer_stages, answer_by,
        /// Why older turns are shown in less than they could be, by the server's codes.
        stages,
        /// By the kind of change, where the policy is told.
        changes,
        /// By the kind of change, where it is not.
        acts
    }
    AuditTexts {
        number, kind, who, content, version, verified, consistent, receipt_verified,
        receipt_consistent, no_key, tail, failed, saved, sent, kept,
        /// `{scope}`, `{version}`, `{chars}`; `{scope}`, `{versions}`, `{upTo}`, of profiles too; `{schema}`, `{version}`.
        memory_changed, memory_erased, profile_changed;
        /// Of records.
        kinds,
        /// Of memories, by whose they are.
        scopes,
        /// Of what a record is about, by the field that names it.
        ids,
        /// Of ends and findings.
        outcomes,
        /// Of what people did.
        events,
        /// Of budgets; with `user_`: of one person's.
        windows,
        /// Of people, by the field that names them.
        roles
    }
    ErasuresTexts { done, busy, more, by, whose, conversations, plans, memory_versions, profile_versions, reason }
    DoctorTexts {
        ok, warn, fail, summary;
        /// By subject.
        names, advice
    }
    ServeTexts { listening, setup, exposed, stopping }
    DemoTexts { link, other_port, ready, tour }
    /// Of prompts of long conversations.
    ContextTexts {
        pipeline, tokens, saved, facts, limits, micros, missed, set, counted, estimated, not_run,
        /// Of a judge; `{judge}`, `{model}`, `{planned}`, `{most}`, `{calls}`; `{pipeline}`, `{who}`, `{count}`, `{why}`.
        relevance, faithfulness, judged, millis, judge_begins, judge_ended, failure;
        /// By the ways that are compared.
        pipelines,
        /// Who gave nothing.
        failed,
        /// Why, where that is no failure of a model's.
        lacking
    }
    RagEvalTexts {
        queries, measure, bm25_spaces, bm25_pairs, lexical, dense, fused, not_run, no_embedder, set,
        parent_child, flat, shown, relevance;
        /// By how queries are put.
        rows,
        /// By which half of the queries is measured.
        parts
    }
    GhostTexts {
        service, site, stop, passed_over, head_id, head_turns, head_tags, head_title, tally, kill,
        kills, origin, part, transitions, gate_answers, deny_codes, unreachable, refuted, wrote,
        /// Keys of runners; what nobody signed.
        key_made, key_added, key_revoked, key_name, public_key, key_state, key_counts,
        key_ended, claimed;
        /// By what does not let scenarios be played.
        barred
    }
}

impl Texts {
    pub fn of(language: Lang) -> Result<Self, TextsError> {
        let text = match language {
            Lang::Ko => KO,
            Lang::En => EN,
        };
        toml::from_str(text)
            .map_err(|error| TextsError { language, reason: error.message().to_owned() })
    }
}

/// `{name}` becomes its value; what is not named stays.
pub fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, behind)) = rest.split_once('{') {
        filled.push_str(before);
        let named = behind.split_once('}').and_then(|(name, after)| {
            values.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value, after))
        });
        if let Some((value, after)) = named {
            filled.push_str(value);
            rest = after;
        } else {
            filled.push('{');
            rest = behind;
        }
    }
    filled.push_str(rest);
    filled
}

/// The text of that name; one that has no words of ours is told as the server has it.
pub fn named<'a>(texts: &'a BTreeMap<String, String>, name: &'a str) -> &'a str {
    texts.get(name).map_or(name, String::as_str)
}

/// `--language` before anything is parsed, since help and errors speak it too; then what was chosen
/// once, then the locale.
pub fn language_of<'a>(
    arguments: impl Iterator<Item = &'a str>,
    chosen: Option<Lang>,
    locale: Option<&str>,
) -> Lang {
    let mut asked = None;
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        if argument == "--language" {
            asked = arguments.peek().copied();
        } else if let Some(code) = argument.strip_prefix("--language=") {
            asked = Some(code);
        }
    }
    let korean = locale.is_some_and(|locale| locale.starts_with("ko"));
    let of_locale = if korean { Lang::Ko } else { Lang::En };
    asked.and_then(Lang::parse).or(chosen).unwrap_or(of_locale)
}

#[cfg(test)]
mod tests {
    use super::{EN, KO, Texts, fill, language_of};
    use std::collections::BTreeMap;
    use toml::{Table, Value};
    use wiiiv_context::{Part, StageReason};
    use wiiiv_domain::{AnswerStage, Consensus, Lang, StepType};

    fn leaves(table: &Table, prefix: &str, found: &mut BTreeMap<String, String>) {
        for (key, value) in table {
            let key = format!("{prefix}{key}");
            match value {
                Value::Table(inner) => leaves(inner, &format!("{key}/"), found),
                other => {
                    found.insert(key, other.as_str().unwrap().to_owned());
                }
            }
        }
    }

    fn placeholders(text: &str) -> BTreeMap<String, Vec<String>> {
        let mut found = BTreeMap::new();
        leaves(&text.parse().unwrap(), "", &mut found);
        let names = |text: String| {
            let parts = text.split('{').skip(1).filter_map(|part| part.split_once('}'));
            let is_name = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
            let names = parts.map(|(name, _)| name).filter(is_name).filter(|name| !name.is_empty());
            let mut names: Vec<String> = names.map(str::to_owned).collect();
            names.sort();
            names
        };
        found.into_iter().map(|(key, text)| (key, names(text))).collect()
    }

    #[test]
    fn both_languages_say_the_same_things_of_the_same_values() {
        for language in Lang::ALL {
            Texts::of(language).unwrap();
        }
        assert_eq!(placeholders(KO), placeholders(EN));
    }

    #[test]
    fn what_the_server_calls_things_has_words() {
        for language in Lang::ALL {
            let Texts { grants, audit, list, why, .. } = Texts::of(language).unwrap();
            let stops = ["user", "run", "halt", "approver"];
            assert!(stops.iter().all(|stop| list.stops.contains_key(*stop)));
            let ends = ["done", "pending", "denied", "error", "cancelled"];
            assert!(ends.iter().all(|end| why.outcomes.contains_key(*end)));
            assert!(Part::ALL.iter().all(|part| why.parts.contains_key(part.as_str())));
            let is_stage = |stage: &AnswerStage| why.answer_stages.contains_key(stage.as_str());
            assert!(AnswerStage::ALL.iter().all(is_stage));
            assert!(["rules", "model"].iter().all(|by| why.answer_by.contains_key(*by)));
            assert!(StageReason::ALL.iter().all(|of| why.stages.contains_key(of.as_str())));
            assert!(StepType::ALL.iter().all(|step| grants.types.contains_key(step.as_str())));
            let judged = |found: &Consensus| audit.outcomes.contains_key(found.as_str());
            assert!(Consensus::ALL.iter().all(judged));
        }
    }

    #[test]
    fn values_are_filled_in_once() {
        let values = [("a", "{b}"), ("b", "2")];
        assert_eq!(fill("{a} {b} {c} {", &values), "{b} 2 {c} {");
        assert_eq!(fill("가{b}나", &values), "가2나");
    }

    #[test]
    fn the_language_is_asked_for_or_the_locales() {
        for (arguments, chosen, locale, expected) in [
            (vec!["chat", "--language", "ko"], Some(Lang::En), Some("en_US.UTF-8"), Lang::Ko),
            (vec!["--language=en"], None, Some("ko_KR.UTF-8"), Lang::En),
            (vec![], None, Some("ko_KR.UTF-8"), Lang::Ko),
            (vec![], Some(Lang::Ko), Some("C"), Lang::Ko),
            (vec!["--language", "fr"], None, None, Lang::En),
            (vec![], None, Some("C"), Lang::En),
        ] {
            assert_eq!(language_of(arguments.into_iter(), chosen, locale), expected);
        }
    }
}
