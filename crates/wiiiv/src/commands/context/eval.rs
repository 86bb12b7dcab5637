//! `context eval [FOLDER]`: what prompts of long conversations cost and still hold, against everything that was said and
//! against the last messages alone. No model is asked unless a judge is named.

use super::{
    conversation::Conversation,
    judgement,
    pipeline::{Measure, Measured, Pipeline, Presence, median},
};
use crate::{
    args::ContextEvalArgs,
    context::Context,
    exit::Exit,
    failure::Failure,
    model_name,
    output::harmless,
    start_error::StartError,
    texts::{fill, named},
};
use serde_json::{Value, json};
use wiiiv_context::RuleBook;
use wiiiv_llm::TokenLimits;

/// What only a model can say, where none is named.
const NOT_RUN: &str = "not_run";

/// Of one way, over all questions.
#[derive(Default)]
struct Total {
    tokens: u64,
    micros: Vec<u64>,
    facts: Presence,
    limits: Presence,
}

/// Of one conversation.
struct Row {
    id: String,
    title: String,
    language: String,
    tokens: [u64; 3],
    /// By a session's own way.
    missed: Vec<String>,
}

pub async fn eval(context: &Context, args: &ContextEvalArgs) -> Result<Exit, Failure> {
    let conversations = Conversation::read_folder(&args.conversations)?;
    let (provider, model) = model_name::parsed(&args.counted_as)?;
    let calls = judgement::open(&args.judgement).await?;
    let known = || TokenLimits::known(provider, model).map_err(StartError::built_in);
    let measure = Measure { rules: RuleBook::embedded(), token_limits: known()? };
    let is_exact = measure.token_limits.is_exact();
    // What it counts is remembered by itself alone, so no time is shorter for it.
    warm_up(&Measure { rules: RuleBook::embedded(), token_limits: known()? }, &conversations)
        .await?;
    measure.count_rules().await?;
    let mut totals: [Total; 3] = std::array::from_fn(|_| Total::default());
    let mut rows = Vec::new();
    for conversation in &conversations {
        rows.push(measured(&measure, conversation, &mut totals).await?);
    }
    let judged = match calls {
        Some(calls) => {
            Some(judgement::run(context, (&measure, conversations.as_slice()), calls).await?)
        }
        None => None,
    };
    let not_run = || json!({ "relevance": NOT_RUN, "faithfulness": NOT_RUN });
    let [whole, _, own] = &totals;
    context.output.document(&json!({
        "model": args.counted_as,
        "exact": is_exact,
        "conversations": conversations.len(),
        "questions": whole.micros.len(),
        "pipelines": documents(&totals),
        "by_conversation": rows.iter().map(row_document).collect::<Vec<_>>(),
        "judge": judged.as_ref().map_or_else(not_run, judgement::Judged::document),
    }))?;
    table(context, &totals)?;
    told(context, (args, is_exact), &rows, whole.micros.len())?;
    match &judged {
        Some(judged) => judged.tell(context)?,
        None => context.say(&context.texts.context.not_run, &[])?,
    }
    // Whatever it saves, nothing may be lost for it; what was to be judged is, or that is no measurement.
    let is_good = own.facts.present >= whole.facts.present && own.limits.is_whole();
    let is_good = is_good && judged.as_ref().is_none_or(judgement::Judged::is_whole);
    Ok(if is_good { Exit::Done } else { Exit::CheckFailed })
}

/// The first prompts unpack a vocabulary and lists: that is no part of what laying out takes.
async fn warm_up(measure: &Measure, conversations: &[Conversation]) -> Result<(), Failure> {
    for conversation in conversations {
        if let Some(question) = conversation.questions.last() {
            for pipeline in Pipeline::ALL {
                measure.of(pipeline, conversation, question).await?;
            }
        }
    }
    Ok(())
}

async fn measured(
    measure: &Measure,
    conversation: &Conversation,
    totals: &mut [Total; 3],
) -> Result<Row, Failure> {
    let mut row = Row {
        id: conversation.id.clone(),
        title: conversation.title.clone(),
        language: conversation.language.clone(),
        tokens: [0; 3],
        missed: Vec::new(),
    };
    for question in &conversation.questions {
        for (nth, pipeline) in Pipeline::ALL.into_iter().enumerate() {
            let of = measure.of(pipeline, conversation, question).await?;
            let Measured { tokens, micros, facts, limits, missed } = of;
            if let Some(total) = totals.get_mut(nth) {
                total.tokens += tokens;
                total.micros.push(micros);
                total.facts.add(facts);
                total.limits.add(limits);
            }
            if let Some(sum) = row.tokens.get_mut(nth) {
                *sum += tokens;
            }
            if pipeline == Pipeline::Context {
                row.missed.extend(missed);
            }
        }
    }
    Ok(row)
}

fn documents(totals: &[Total; 3]) -> Vec<Value> {
    let [whole, _, _] = totals;
    let of = |(pipeline, total): (Pipeline, &Total)| {
        let presence = |of: Presence| json!({ "present": of.present, "asked": of.asked });
        json!({
            "name": pipeline.as_str(),
            "tokens_per_prompt": per_prompt(total),
            "saved_percent": saved(total.tokens, whole.tokens),
            "facts": presence(total.facts),
            "limits": presence(total.limits),
            "micros_median": median(&total.micros),
        })
    };
    Pipeline::ALL.into_iter().zip(totals).map(of).collect()
}

fn row_document(row: &Row) -> Value {
    let tokens: serde_json::Map<String, Value> = Pipeline::ALL
        .into_iter()
        .zip(row.tokens)
        .map(|(pipeline, tokens)| (pipeline.as_str().to_owned(), json!(tokens)))
        .collect();
    json!({
        "id": row.id, "title": row.title, "language": row.language, "tokens": tokens, "missed": row.missed,
    })
}

fn table(context: &Context, totals: &[Total; 3]) -> Result<(), Failure> {
    let texts = &context.texts.context;
    let [whole, _, _] = totals;
    let rows: Vec<[String; 6]> = Pipeline::ALL
        .into_iter()
        .zip(totals)
        .map(|(pipeline, total)| {
            [
                named(&texts.pipelines, pipeline.as_str()).to_owned(),
                per_prompt(total).to_string(),
                format!("{} %", saved(total.tokens, whole.tokens)),
                format!("{}/{}", total.facts.present, total.facts.asked),
                format!("{}/{}", total.limits.present, total.limits.asked),
                median(&total.micros).to_string(),
            ]
        })
        .collect();
    let heads =
        [&texts.pipeline, &texts.tokens, &texts.saved, &texts.facts, &texts.limits, &texts.micros];
    context.output.table(heads.map(String::as_str), &rows)
}

fn told(
    context: &Context,
    (args, is_exact): (&ContextEvalArgs, bool),
    rows: &[Row],
    questions: usize,
) -> Result<(), Failure> {
    let texts = &context.texts.context;
    for row in rows.iter().filter(|row| !row.missed.is_empty()) {
        let missed = harmless(&row.missed.join(", "));
        context.warn(&texts.missed, &[("id", &row.id), ("facts", &missed)])?;
    }
    let (conversations, questions) = (rows.len().to_string(), questions.to_string());
    let counted = if is_exact { &texts.counted } else { &texts.estimated };
    let counted = fill(counted, &[("model", &args.counted_as)]);
    let values = [
        ("conversations", conversations.as_str()),
        ("questions", &questions),
        ("counted", &counted),
    ];
    context.say(&texts.set, &values)
}

fn per_prompt(total: &Total) -> u64 {
    let prompts = u64::try_from(total.micros.len()).unwrap_or(u64::MAX).max(1);
    total.tokens / prompts
}

/// In whole percent, rounded down; what takes more saves nothing.
fn saved(tokens: u64, whole: u64) -> u64 {
    whole.saturating_sub(tokens).saturating_mul(100) / whole.max(1)
}
