// A runner of GHOST: it has a key of its own, and signs what it reports.
import { createHash, generateKeyPairSync, sign } from 'node:crypto';

/** RFC 8785, of what is reported here. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}

export class Runner {
  #keys = generateKeyPairSync('ed25519');

  static async registered(rest, name) {
    const runner = new Runner();
    await rest.post('/ghost/keys', { name, public_key: runner.publicKey });
    return runner;
  }

  get publicKey() {
    return Buffer.from(this.#keys.publicKey.export({ format: 'jwk' }).x, 'base64url').toString('hex');
  }

  /** The statement of ADR 0047 is what is signed. */
  signed(run) {
    const statement = {
      format: 'wiiiv.ghost-result.1',
      build: run.build,
      durationMs: `${run.duration_ms}`,
      firstViolation: run.first_violation,
      invariants: run.invariants,
      mode: run.mode,
      model: run.model,
      policyHash: run.policy_hash,
      promptHash: run.prompt_hash,
      provider: run.provider,
      repeat: run.repeat,
      report: createHash('sha256').update(canonical(run.report)).digest('hex'),
      revision: run.revision,
      scenario: run.scenario,
      seed: `${run.seed}`,
      verdict: run.verdict,
    };
    const signature = sign(null, Buffer.from(canonical(statement)), this.#keys.privateKey).toString('hex');
    return { ...run, signed: { public_key: this.publicKey, signature } };
  }
}

/** Of FILE_DELETE, as this build has them. */
const DELETING = ['G03', 'G04', 'G12'];
const visited = (transitions, denials) => ({ visited: { transitions, gates: ['dacs ALLOW'], denials } });

/**
 * Two suites of one of the models that are recommended: a claimed one, and a newer one that is signed and verifies
 * it for deletions alone. One result of each, and the model's name.
 */
export async function play(rest, runner, rank) {
  const { items } = await rest.get('/models');
  const { recommended, models } = items.find(({ provider }) => provider === 'OPENAI');
  const model = recommended[rank];
  const { build, policy_hash, prompt_hash } = models.find(({ name }) => name === model).ghost;
  const its = { build, policy_hash, prompt_hash, provider: 'OPENAI', model, revision: `${model}-1`, mode: 'live' };
  const run = (scenario, changes = {}) => ({
    ...its, scenario, verdict: 'PASS', seed: 8, repeat: 1, invariants: 'held', first_violation: null, duration_ms: 12,
    report: visited([], ['HOST_NOT_ALLOWED']), ...changes,
  });
  const kept = (result) => rest.post('/ghost/results', result);
  const older = { seed: 7, report: visited(['Listening said'], []) };
  const baseline = await kept(run('C01', older));
  await kept(run('C02', older));
  const failed = { verdict: 'FAIL', first_violation: 'turn 1, `reply`: expected "two", seen "<b>three</b>"' };
  let suite = null;
  for (const repeat of [1, 2, 3]) {
    for (const scenario of DELETING) await kept(runner.signed(run(scenario, { repeat })));
    await kept(runner.signed(run('Z02', { repeat, verdict: 'PARTIAL' })));
    suite = await kept(runner.signed(run('C01', { repeat, ...(repeat === 2 ? failed : {}) })));
  }
  return { model, suite: suite.id, baseline: baseline.id };
}
