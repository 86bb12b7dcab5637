// A policy document, and the closed lists of what it can say.

import type { Schemas } from '../../api/client';

export interface HostRule {
  host: string;
  scheme: 'http' | 'https' | null;
  port: number | null;
  private: boolean;
  idempotentMethods: string[];
  idempotentOperations?: string[];
  readOperations?: string[];
}

export interface ApprovalRule {
  by: string;
  /** Left out where it is one. */
  approvers?: number;
  ttlSeconds: number;
}

export interface Escalation {
  afterPercent: number;
  to: string;
}

/** Left out where there is no cap: a month, and what one person may spend. */
export interface TokenBudget {
  perRun: number | null;
  perDay: number | null;
  perMonth?: number;
  perUserDay?: number;
  perUserMonth?: number;
}

export interface CostLimit {
  perRunMicros: number | null;
  perDayMicros: number | null;
  perMonthMicros?: number;
  perUserDayMicros?: number;
  perUserMonthMicros?: number;
}

/** Asked where the one before it cannot be reached. */
export interface ModelFallback {
  provider: string;
  model: string;
  baseUrl?: string;
}

export interface Policy {
  version: number;
  allowedStepTypes: string[];
  allowedPlugins: string[];
  allowedHosts: HostRule[];
  allowedPaths: string[];
  allowedDatabases: string[];
  confirmation: Record<string, string>;
  /** `escalation` is left out where nobody else is shown what waits, `foreignTargets` where it is `ask`. */
  approval: { normal: ApprovalRule; risky: ApprovalRule; escalation?: Escalation; foreignTargets?: string };
  dacsStage: string;
  modelPersonas: string;
  tokenBudget: TokenBudget;
  costLimit: CostLimit;
  llmProvider: string;
  llmBaseUrl: string | null;
  governorModel: string | null;
  /** Left out where it is the governor's. */
  generatorModel?: string;
  /** Left out where the provider has none of its own; `none`: there shall be none. */
  embeddingModel?: string;
  /** Left out where there is none. */
  modelFallbacks?: ModelFallback[];
  /** Left out where it is `OWN_KEYS`. */
  keySources?: string[];
  /** Left out where no task needs one. */
  requireVerifiedModel?: string[];
  /** Left out where it is `MINIMUM_GREEN`. */
  minimumGreen?: number;
  modelPrices: Record<string, unknown>;
  /** Left out where nobody has a profile. */
  profileSchema?: string;
  /** Left out where there is none beside those of the schema. */
  guardrails?: string[];
  /** Left out where answers are given as they come. */
  answers?: { check: string; refine: boolean };
  /** Left out where questions are answered without documents. */
  ragForInformation?: boolean;
  /** Rules in Cedar; left out where there is none. */
  fineRules?: string;
}

export type Version = Omit<Schemas['PolicyView'], 'policy'> & { policy: Policy };

/** The API's description says no more of the document than that it is an object. */
export function versionOf(view: Schemas['PolicyView']): Version {
  return view as unknown as Version;
}

export const STEP_TYPES = ['FILE_READ', 'FILE_WRITE', 'FILE_DELETE', 'API_CALL', 'WEB_FETCH', 'TRANSFORM'] as const;
/** Methods that a service can promise to be idempotent: of GET and HEAD nobody needs to. */
export const PROMISED_METHODS = ['PUT', 'DELETE', 'PATCH', 'POST'] as const;
export const CONFIRMATIONS = ['always', 'unless_read', 'risky', 'never'] as const;
export const APPROVERS = ['requester', 'another_person'] as const;
/** The most people whose yes one rule asks for. */
export const APPROVERS_MAX = 8;
export const MODEL_PERSONAS = ['never', 'risky'] as const;
export const GUARDRAILS = ['medical', 'finance', 'legal'] as const;
export const ANSWER_CHECKS = ['off', 'rules', 'model'] as const;
/** Each with the guardrails that it brings. */
export const PROFILE_SCHEMAS: Readonly<Record<string, readonly string[]>> = { medical: ['medical'] };
export const FOREIGN_TARGETS = ['ask', 'deny'] as const;
export const PROVIDERS = ['OFFLINE', 'OPENAI', 'ANTHROPIC', 'GOOGLE', 'OLLAMA', 'CUSTOM'] as const;
/** In the order in which a key is looked for. */
export const KEY_SOURCES = ['USER', 'PROJECT', 'SERVER', 'ENVIRONMENT'] as const;
const OWN_KEYS: readonly string[] = ['USER', 'PROJECT'];
const SHARED_KEYS: readonly string[] = ['SERVER', 'ENVIRONMENT'];
export const FALLBACKS_MAX = 4;
export const RISKS = ['normal', 'risky'] as const;
export const MICROS = 1_000_000;
/** The whole workspace, as `allowedPaths` says it. */
export const WHOLE = '';

/** Tasks of this build, each with what is asked where the policy says nothing. */
export const TASKS: readonly { type: string; asks: string }[] = [
  { type: 'FILE_READ', asks: 'never' },
  { type: 'FILE_WRITE', asks: 'always' },
  { type: 'FILE_DELETE', asks: 'always' },
  { type: 'API_WORKFLOW', asks: 'unless_read' },
];

export function place({ scheme, host, port }: HostRule): string {
  return `${scheme ? `${scheme}://` : ''}${host}${port === null ? '' : `:${port}`}`;
}

export function newRule(): HostRule {
  return { host: '', scheme: 'https', port: null, private: false, idempotentMethods: [] };
}

export function newFallback(): ModelFallback {
  return { provider: 'OPENAI', model: '' };
}

/** Toggled, in the order of `all`; what is in none of both stays at the end. */
export function toggled(list: readonly string[], item: string, all: readonly string[]): string[] {
  const next = list.includes(item) ? list.filter((one) => one !== item) : [...list, item];
  const rank = (one: string): number => (all.includes(one) ? all.indexOf(one) : all.length);
  return [...next].sort((a, b) => rank(a) - rank(b));
}

export function keySources({ keySources: named }: Policy): readonly string[] {
  return KEY_SOURCES.filter((source) => (named ?? OWN_KEYS).includes(source));
}

/** As the server writes it: an empty slot is left out. */
export function nameSlot(policy: Policy, slot: 'generatorModel' | 'embeddingModel', name: string | null): void {
  if (name === null) delete policy[slot];
  else policy[slot] = name;
}

/** As the server writes it: where no task needs one it is left out. */
export function requireVerified(policy: Policy, tasks: readonly string[]): void {
  if (tasks.length === 0) delete policy.requireVerifiedModel;
  else policy.requireVerifiedModel = [...tasks];
}

/** The least percent of scenarios that a verified model has passed. */
export const MINIMUM_GREEN = 90;

/** As the server writes it: left out where it is the least. */
export function setMinimumGreen(policy: Policy, percent: number): void {
  if (percent === MINIMUM_GREEN) delete policy.minimumGreen;
  else policy.minimumGreen = percent;
}

export const ESCALATE_TO = ['owners', 'administrators', 'owners_and_administrators'] as const;
export const ESCALATE_AFTER = 50;

/** As the server writes it: left out for nobody. */
export function setEscalation(policy: Policy, to: string): void {
  const afterPercent = policy.approval.escalation?.afterPercent ?? ESCALATE_AFTER;
  if (to === '') delete policy.approval.escalation;
  else policy.approval.escalation = { afterPercent, to };
}

/** As the server writes it: one is left out. The requester is one person. */
export function setApprovers(rule: ApprovalRule, approvers: number): void {
  if (approvers <= 1 || rule.by === 'requester') delete rule.approvers;
  else rule.approvers = approvers;
}

/** As the server writes it: where there is no rule the text is left out. */
export function setFineRules(policy: Policy, text: string): void {
  if (text === '') delete policy.fineRules;
  else policy.fineRules = text;
}

/** As the server writes it: where nobody has a profile it is left out. */
export function setProfileSchema(policy: Policy, name: string): void {
  if (name === '') delete policy.profileSchema;
  else policy.profileSchema = name;
}

/** Those that the schema of profiles brings, whatever else is chosen. */
export function broughtGuardrails({ profileSchema }: Policy): readonly string[] {
  return PROFILE_SCHEMAS[profileSchema ?? ''] ?? [];
}

/** As the server writes it: where none is chosen it is left out. */
export function setGuardrails(policy: Policy, names: readonly string[]): void {
  if (names.length === 0) delete policy.guardrails;
  else policy.guardrails = [...names];
}

/** As the server writes it: what is off is left out. Nothing is made better that nobody looks at. */
export function setAnswers(policy: Policy, check: string, refine: boolean): void {
  if (check === 'off') delete policy.answers;
  else policy.answers = { check, refine };
}

/** As the server writes it: where no documents are looked through for a question it is left out. */
export function setRagForInformation(policy: Policy, isOn: boolean): void {
  if (isOn) policy.ragForInformation = true;
  else delete policy.ragForInformation;
}

/** Everybody on the server pays for it. */
export const isShared = (source: string): boolean => SHARED_KEYS.includes(source);

/** As the server writes it: what a policy without this field says is left out. */
export function nameKeySources(policy: Policy, sources: readonly string[]): void {
  const isUsual = sources.length === OWN_KEYS.length && sources.every((source) => OWN_KEYS.includes(source));
  if (isUsual) delete policy.keySources;
  else policy.keySources = [...sources];
}
