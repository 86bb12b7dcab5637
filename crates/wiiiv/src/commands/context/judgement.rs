//! What answers are worth that a model gives to the prompts of each way. One call answers, another one judges: two numbers,
//! or a failure that is counted by its name. Nothing is guessed for what is lacking.

use super::{
    conversation::Conversation,
    model_calls::{CallOutcome, ModelCalls},
    pipeline::{Measure, Pipeline, median},
};
use crate::{
    args::JudgementArgs,
    context::Context,
    failure::Failure,
    output::note,
    provider_model::{key, reached},
    texts::{fill, named},
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use wiiiv_context::{JudgementPrompt, RuleBook};
use wiiiv_domain::{ModelSlot, Spent};

/// Unless another number is named: the committed set takes 72, and as many again where each has to be repaired.
const CALLS_DEFAULT: u32 = 200;
/// An answer, and what it is worth.
const CALLS_PER_PROMPT: usize = 2;
const ANSWER: &str = "answer";
const JUDGE: &str = "judge";

/// Of one way, over the last questions of all conversations.
#[derive(Default)]
struct JudgedPipeline {
    relevance: Vec<f64>,
    faithfulness: Vec<f64>,
    /// Of its answers alone, as the provider counts.
    input_tokens: u64,
    output_tokens: u64,
    /// The provider told nothing of some.
    is_estimated: bool,
    judge_tokens: u64,
    answer_millis: Vec<u64>,
    judge_millis: Vec<u64>,
    /// By who failed, and how.
    failures: BTreeMap<(&'static str, &'static str), u64>,
}

pub struct Judged {
    judge: String,
    answered_by: String,
    calls: u32,
    calls_max: u32,
    prompts: usize,
    pipelines: [JudgedPipeline; 3],
}

/// `None`: nobody is named. What cannot be asked is refused here, before anything is measured.
pub async fn open(args: &JudgementArgs) -> Result<Option<ModelCalls>, Failure> {
    let Some(name) = &args.judge else { return Ok(None) };
    let key = key(args.key_file.as_deref(), args.key_variable.as_deref())?;
    let model = reached(name, args.live_base_url.clone(), key)?;
    let calls_max = args.judgement_calls.unwrap_or(CALLS_DEFAULT);
    ModelCalls::open(model, args.answer_model.clone(), calls_max).await.map(Some)
}

/// How much is asked at most is said before anything is.
pub async fn run(
    context: &Context,
    (measure, conversations): (&Measure, &[Conversation]),
    mut calls: ModelCalls,
) -> Result<Judged, Failure> {
    let (judge, answered_by) = (calls.name(ModelSlot::Governor), calls.name(ModelSlot::Generator));
    let prompts = conversations.len();
    let planned = prompts * Pipeline::ALL.len() * CALLS_PER_PROMPT;
    let values = [
        ("judge", judge.as_str()),
        ("model", &answered_by),
        ("planned", &planned.to_string()),
        ("most", &calls.calls_max().to_string()),
    ];
    note(&fill(&context.texts.context.judge_begins, &values))?;
    let mut pipelines: [JudgedPipeline; 3] = std::array::from_fn(|_| JudgedPipeline::default());
    for conversation in conversations {
        for (pipeline, judged) in Pipeline::ALL.into_iter().zip(&mut pipelines) {
            judged.add((measure, pipeline), conversation, &mut calls).await?;
        }
    }
    let (calls, calls_max) = (calls.calls(), calls.calls_max());
    Ok(Judged { judge, answered_by, calls, calls_max, prompts, pipelines })
}

impl JudgedPipeline {
    async fn add(
        &mut self,
        (measure, pipeline): (&Measure, Pipeline),
        conversation: &Conversation,
        calls: &mut ModelCalls,
    ) -> Result<(), Failure> {
        let last = conversation.questions.iter().max_by_key(|question| question.turn);
        let Some(question) = last else { return Ok(()) };
        let prompt = measure.prompt(pipeline, conversation, question).await?;
        let CallOutcome { result, spent, millis } = calls.answer(&prompt).await?;
        let usage = spent.total();
        self.input_tokens = self.input_tokens.saturating_add(usage.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(usage.output_tokens);
        self.is_estimated |= usage.estimated;
        let answer = match result {
            Ok(answer) => answer,
            Err(why) => {
                self.failed(ANSWER, why);
                return Ok(());
            }
        };
        self.answer_millis.push(millis);
        let prompt = JudgementPrompt::new(&RuleBook::embedded(), &prompt, &answer);
        let CallOutcome { result, spent, millis } = calls.judgement(&prompt).await?;
        self.judge_tokens = self.judge_tokens.saturating_add(tokens(&spent));
        match result {
            Err(why) => self.failed(JUDGE, why),
            Ok(judgement) => {
                self.judge_millis.push(millis);
                self.relevance.push(judgement.relevance);
                self.faithfulness.push(judgement.faithfulness);
            }
        }
        Ok(())
    }

    fn failed(&mut self, who: &'static str, why: &'static str) {
        *self.failures.entry((who, why)).or_default() += 1;
    }

    fn document(&self, pipeline: Pipeline) -> Value {
        let failures = |of: &str| -> BTreeMap<&'static str, u64> {
            let all = self.failures.iter().filter(|((who, _), _)| *who == of);
            all.map(|((_, why), count)| (*why, *count)).collect()
        };
        json!({
            "name": pipeline.as_str(),
            "judged": self.relevance.len(),
            "relevance": mean(&self.relevance),
            "faithfulness": mean(&self.faithfulness),
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "estimated": self.is_estimated,
            "judge_tokens": self.judge_tokens,
            "answer_millis_median": median(&self.answer_millis),
            "judge_millis_median": median(&self.judge_millis),
            "failures": { "answer": failures(ANSWER), "judge": failures(JUDGE) },
        })
    }
}

impl Judged {
    /// Each prompt of each way has its two numbers.
    pub fn is_whole(&self) -> bool {
        self.pipelines.iter().all(|of| of.failures.is_empty())
    }

    pub fn document(&self) -> Value {
        let pipelines = Pipeline::ALL.into_iter().zip(&self.pipelines);
        let pipelines: Vec<Value> = pipelines.map(|(name, of)| of.document(name)).collect();
        json!({
            "model": self.judge,
            "answered_by": self.answered_by,
            "prompts": self.prompts,
            "calls": self.calls,
            "calls_max": self.calls_max,
            "pipelines": pipelines,
        })
    }

    pub fn tell(&self, context: &Context) -> Result<(), Failure> {
        let texts = &context.texts.context;
        let cells = |(pipeline, of): (Pipeline, &JudgedPipeline)| {
            [
                named(&texts.pipelines, pipeline.as_str()).to_owned(),
                written(mean(&of.relevance)),
                written(mean(&of.faithfulness)),
                format!("{}/{}", of.relevance.len(), self.prompts),
                of.input_tokens.saturating_add(of.output_tokens).to_string(),
                median(&of.answer_millis).to_string(),
            ]
        };
        let rows: Vec<_> = Pipeline::ALL.into_iter().zip(&self.pipelines).map(cells).collect();
        let heads = [
            &texts.pipeline,
            &texts.relevance,
            &texts.faithfulness,
            &texts.judged,
            &texts.tokens,
            &texts.millis,
        ];
        context.output.table(heads.map(String::as_str), &rows)?;
        for (pipeline, of) in Pipeline::ALL.into_iter().zip(&self.pipelines) {
            for ((who, why), count) in &of.failures {
                let own = texts.lacking.get(*why).map(String::as_str);
                let values = [
                    ("pipeline", named(&texts.pipelines, pipeline.as_str())),
                    ("who", named(&texts.failed, who)),
                    ("count", &count.to_string()),
                    ("why", own.unwrap_or_else(|| named(&context.texts.models.failures, why))),
                ];
                context.warn(&texts.failure, &values)?;
            }
        }
        let (calls, most) = (self.calls.to_string(), self.calls_max.to_string());
        let values = [
            ("judge", self.judge.as_str()),
            ("model", &self.answered_by),
            ("calls", &calls),
            ("most", &most),
        ];
        context.say(&texts.judge_ended, &values)
    }
}

fn tokens(spent: &Spent) -> u64 {
    let usage = spent.total();
    usage.input_tokens.saturating_add(usage.output_tokens)
}

/// To three decimals; `None` of none.
fn mean(numbers: &[f64]) -> Option<f64> {
    let count = u32::try_from(numbers.len()).ok().filter(|count| *count > 0)?;
    let mean = numbers.iter().sum::<f64>() / f64::from(count);
    Some((mean * 1_000.0).round() / 1_000.0)
}

fn written(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"))
}
