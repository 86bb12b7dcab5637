// Where the ids in a record lead.

export interface RecordLink {
  name: string;
  id: string;
  /** A screen of its own; else only its records. */
  href: string | null;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NAMES = ['execution', 'blueprint', 'approval', 'turn', 'session', 'task', 'call', 'delegation'] as const;
const DEPTH_MAX = 3;

export function linksOf(body: unknown, project: string): RecordLink[] {
  const found = new Map<string, RecordLink>();
  collect(body, DEPTH_MAX, (name, id) => {
    if (!found.has(id)) found.set(id, { name, id, href: placeOf(name, id, project) });
  });
  return [...found.values()].sort((a, b) => rank(a.name) - rank(b.name));
}

const rank = (name: string): number => NAMES.findIndex((one) => one === name);

function collect(value: unknown, depth: number, add: (name: string, id: string) => void): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  for (const [name, item] of Object.entries(value)) {
    if (typeof item !== 'string') collect(item, depth - 1, add);
    else if (UUID.test(item) && NAMES.some((one) => one === name)) add(name, item);
  }
}

function placeOf(name: string, id: string, project: string): string | null {
  if (name === 'execution') return `/p/${project}/executions/${id}`;
  if (name === 'blueprint') return `/p/${project}/why/${id}`;
  if (name === 'approval') return `/approvals/${id}`;
  if (name === 'turn') return `/p/${project}/turns/${id}`;
  return name === 'session' ? `/p/${project}/chat/${id}` : null;
}
