// Codes that the server gives and the interface has words for, read from where they are declared:
// family of texts -> every code that needs one.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const CRATES = '../crates';
const read = (file) => readFileSync(join(CRATES, file), 'utf8');
const snake = (name) => name.replace(/(?<!^)([A-Z])/g, '_$1').toLowerCase();
const screaming = (name) => snake(name).toUpperCase();

function some(codes, from) {
  if (codes.length === 0) throw new Error(`no codes are found in ${from}`);
  return codes;
}

/** Schemas of profiles by the names of their files, each with the guardrails that it brings. */
export const SCHEMAS = Object.fromEntries(
  readdirSync('../config/profiles').map((name) => {
    const [, list = ''] = readFileSync(join('../config/profiles', name), 'utf8').match(/^guardrails = \[([^\]]*)\]/m) ?? [];
    return [name.replace(/\.toml$/, ''), [...list.matchAll(/"(\w+)"/g)].map(([, guardrail]) => guardrail)];
  }),
);

/** Texts of a crate's modules, wherever they lie in it. */
const modules = (crate, folder = 'src') =>
  readdirSync(join(CRATES, crate, folder), { recursive: true })
    .filter((name) => name.endsWith('.rs') && !name.includes('tests'))
    .map((name) => read(join(crate, folder, name)));

/** Variants of a Rust enum, as their serde form writes them. */
function variants(crate, name, as = snake) {
  // Inside a macro that names its variants it is indented.
  const declared = new RegExp(`^( *)(?:pub )?enum ${name} \\{\\n([\\s\\S]*?)\\n\\1\\}`, 'm');
  const found = modules(crate).map((text) => text.match(declared)).filter(Boolean);
  if (found.length > 1) throw new Error(`${found.length} enums of ${crate} are called ${name}`);
  const [, indent = '', block = ''] = found[0] ?? [];
  const variant = new RegExp(`^${indent} {4}([A-Z]\\w*)`, 'gm');
  return some([...block.matchAll(variant)].map(([, name]) => as(name)), `${crate} ${name}`);
}

/** Values of one schema of the API. */
function schema(name) {
  const { components } = JSON.parse(readFileSync('../docs/openapi.json', 'utf8'));
  return some(components.schemas[name]?.enum ?? [], `docs/openapi.json ${name}`);
}

function denials() {
  return some([...read('domain/src/deny.rs').matchAll(/^ +\w+ = "([A-Z_]+)"/gm)].map(([, code]) => code), 'deny.rs');
}

/** Of records that stand in the server's own chain, which no screen shows. */
const OF_THE_SERVER = /^(audit\.(records_)?sealed$|user\.(created|disabled|enabled|password_\w+)|token\.|server\.)/;

/** Texts that are told in a conversation. */
const OF_THE_CHAT = /^(recall|run)\./;

/** Kinds of audit records of a project. */
function records() {
  const sources = ['store', 'governor'].flatMap((crate) => modules(crate));
  const kinds = /(?:\bentry\(|AuditEntry::new\(|record\(\w+, |kind: |\{ )"([a-z_]+\.[a-z_]+)"|KIND: &str = "([a-z_]+(?:\.[a-z_]+)?)"/g;
  const ends = /audit::approval\("(\w+)"/g;
  const found = sources.flatMap((source) => [
    ...[...source.matchAll(kinds)].map(([, kind, named]) => kind ?? named),
    ...[...source.matchAll(ends)].map(([, end]) => `approval.${end}`),
  ]);
  return some([...new Set(found)].filter((kind) => !OF_THE_SERVER.test(kind) && !OF_THE_CHAT.test(kind)), 'audit records');
}

/** Why a file became no document: what its reader says, and what an ingest says beside it. */
function ingests() {
  const listed = read('exec/src/document/refused.rs').match(/const CODES[^=]*= \[([^\]]*)\]/)?.[1] ?? '';
  const said = /(?:Failed\(|Err\(|FAILED: &str = |job, |=> )"([A-Z_]+)"/g;
  const told = modules('governor', 'src/documents').flatMap((text) =>
    [...text.matchAll(said)].map(([, code]) => code),
  );
  return some([...new Set([...[...listed.matchAll(/"(\w+)"/g)].map(([, code]) => code), ...told])], 'ingests');
}

const recalls = variants('domain', 'Recall');

/** What a step of the flow is called, with what it came to. */
function marks() {
  const of = (input, outcomes) => outcomes.map((outcome) => `${input}_${outcome}`);
  const consensus = variants('domain', 'Consensus');
  return [
    // Of a question about what was done, which one it is.
    ...of('signal', variants('domain', 'SignalKind').flatMap((kind) => (kind === 'recall' ? recalls : [kind]))),
    ...of('proposed', [...variants('domain', 'Action'), 'failed', 'told']),
    ...of('verdict', consensus),
    ...of('shadowed', consensus),
    ...of('drawn', variants('domain', 'Asks')),
    ...of('ruling', variants('domain', 'RulingOutcome')),
    ...of('finished', variants('domain', 'RunOutcome')),
    'not_drawable', 'approved', 'refused', 'expired', 'edited', 'regrounded',
  ];
}

const steps = variants('domain', 'StepType', screaming);
const runs = variants('store', 'ExecutionState');
const gates = schema('GateLabel');
const providers = variants('domain', 'ProviderName', (name) => name.toUpperCase());
const sources = variants('domain', 'KeySource', screaming);
const verdicts = variants('domain', 'KeyVerdict', screaming);

export const FAMILIES = {
  task: variants('domain', 'TaskType', screaming),
  step: steps,
  step_type: steps,
  effect: variants('domain', 'Effect', screaming),
  deny_code: denials(),
  record: records(),
  user_event: variants('gate', 'UserEventKind'),
  mark: variants('domain', 'FlowInput'),
  chip: marks(),
  reason: marks(),
  recall: recalls,
  rule_fault: variants('gate', 'RuleFaultCode'),
  pressed: ['approved', 'refused', ...recalls],
  persona: variants('domain', 'Persona', screaming),
  vote: variants('domain', 'Vote', screaming),
  model_personas: variants('domain', 'ModelPersonas'),
  model_personas_text: variants('domain', 'ModelPersonas'),
  consensus: variants('domain', 'Consensus', screaming),
  start_about: schema('SuggestionKind'),
  gate: gates,
  gate_short: gates,
  gate_answer: schema('Expected'),
  plan_part: variants('context', 'Part'),
  plan_stage: variants('context', 'StageReason'),
  why_outcome: schema('Ruled'),
  subject: schema('SubjectKind'),
  run_state: runs,
  runs_state: runs,
  inbox_run: runs,
  impact_fate: variants('governor', 'EarlyFate'),
  resolution: schema('Word'),
  resolve_do: schema('Word'),
  chain: schema('VerifiedState'),
  change: schema('ChangeKind'),
  policy_notice: schema('PolicyNotice'),
  ghost_barred: schema('BarredName'),
  ghost_mode: schema('ModeName'),
  ghost_verdict: schema('VerdictName'),
  ghost_word: schema('WordName'),
  ghost_standing: schema('StandingName'),
  ghost_part: schema('PartName'),
  budget_window: schema('BudgetWindowName'),
  alert_window: [...schema('BudgetWindowName'), 'run'],
  usage_window: schema('BudgetWindowName'),
  budget_state: schema('BudgetState'),
  provider_state: schema('ProviderState'),
  provider: providers,
  provider_text: providers,
  key_source: sources,
  key_source_text: sources,
  keys_of: sources,
  key_used: sources,
  key_verdict: verdicts,
  key_verdict_text: verdicts,
  guardrail: variants('domain', 'Guardrail'),
  guardrail_text: variants('domain', 'Guardrail'),
  answer_check: variants('domain', 'AnswerCheck'),
  answer_check_text: variants('domain', 'AnswerCheck'),
  answer_stage: variants('domain', 'AnswerStage'),
  profile_schema: Object.keys(SCHEMAS),
  profile_policy: variants('domain', 'ProfileSlotPolicy'),
  profile_op: schema('ProfileOpName'),
  profile_how: variants('store', 'ProfileHow'),
  ingest_state: variants('store', 'IngestState'),
  ingest_code: ingests(),
  not_compared: variants('governor', 'NotCompared'),
  leg_off: variants('retrieval', 'LegOff'),
  problem: localProblems(),
  advice: localProblems(),
};

function localProblems() {
  const source = readFileSync('src/api/problem.ts', 'utf8').match(/type LocalCode = ([^;]+);/)?.[1] ?? '';
  return some([...source.matchAll(/'(\w+)'/g)].map(([, code]) => code), 'problem.ts');
}
