// The one thing of a record that tells it from its neighbours.

import type { Schemas } from '../../api/client';
import { t, tCode } from '../../state/language.svelte';
import { oneLine } from '../../text/visible';

const CHARS_MAX = 80;

type Body = Record<string, unknown>;
const isBody = (value: unknown): value is Body =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function gist({ kind, body, hash, people, person, project_name }: Schemas['AuditRecordView']): string {
  const others = Object.entries(people).filter(([id]) => id !== person);
  const found = [...(isBody(body) ? say(kind, body) : []), ...others.map(([, name]) => name)].filter(Boolean);
  return oneLine(found.length > 0 ? found.join(' · ') : named(body, hash, project_name ?? ''), CHARS_MAX);
}

function say(kind: string, body: Body): string[] {
  const word = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
  const inner = (name: string, of: string): string => (isBody(body[name]) ? word(body[name][of]) : '');
  switch (kind) {
    case 'decision':
      return [tCode('why_outcome', word(body['outcome']).toLowerCase()), tCode('subject', inner('subject', 'kind')), inner('subject', 'step')];
    case 'dacs.evaluated':
      return [tCode('consensus', word(body['consensus']).toUpperCase())];
    case 'blueprint.drawn': {
      const steps = Array.isArray(body['steps']) ? body['steps'].filter(isBody) : [];
      return [steps.map((step) => tCode('step_type', word(step['type']))).join(' → ')];
    }
    case 'execution.finished':
      return [tCode('run_state', inner('outcome', 'kind')), inner('outcome', 'code')];
    case 'step.finished':
      return [word(body['step']), word(body['code'])];
    case 'turn.ended':
      return [tCode('outcome', word(body['outcome']))];
    case 'user.event':
      return [tCode('user_event', inner('event', 'kind'))];
    case 'memory.changed':
      return [
        tCode('audit_memory', word(body['scope'])),
        t('policy.version', { number: word(body['version']) }),
        t('audit.memory_chars', { chars: word(body['chars']) }),
      ];
    case 'profile.changed': {
      const slots = Array.isArray(body['slots']) ? body['slots'].map(word).join(', ') : '';
      return [word(body['schema']), t('policy.version', { number: word(body['version']) }), slots];
    }
    case 'memory.erased':
    case 'profile.erased': {
      const [count, number] = [word(body['versions']), word(body['upTo'])];
      const of = kind === 'memory.erased' ? tCode('audit_memory', word(body['scope'])) : word(body['schema']);
      return [of, t('audit.memory_gone', { count, number })];
    }
    case 'budget.alerted': {
      const [window, of] = [word(body['window']), word(body['of'])];
      const whose = typeof body['user'] === 'string' ? `user_${window}` : window;
      return [tCode('alert_window', whose), isId(of) ? '' : of, `${word(body['percent'])}%`];
    }
    default:
      return ['number', 'step', 'model', 'system', 'outcome', 'code', 'by'].map((name) => word(body[name])).filter((text) => !isId(text)).slice(0, 2);
  }
}

const NAMED = ['execution', 'approval', 'blueprint', 'session', 'task', 'turn', 'call', 'delegation', 'project'] as const;

/** A record that says nothing else says whose it is: by the end of an id, which lists show. */
function named(body: unknown, hash: string, project: string): string {
  const name = isBody(body) ? NAMED.find((one) => typeof body[one] === 'string') : undefined;
  if (name === undefined || !isBody(body)) return hash.slice(0, 8);
  const id = String(body[name]).slice(-8);
  return [tCode('audit_id', name), name === 'project' && project !== '' ? `${project} (${id})` : id].join(' ');
}

const isId = (text: string): boolean => /^[0-9a-f-]{36}$/.test(text);
