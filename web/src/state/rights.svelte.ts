// What the person here may do in a project, as the server's table of rules says it. The server
// judges every request itself: this only keeps away what would be refused.

import { ApiProblem } from '../api/client';
import { membersOf, type Role } from './members';

const MAY = {
  talk: ['owner', 'editor'],
  cancel_run: ['owner', 'editor'],
  resolve: ['owner', 'approver'],
  audit: ['owner', 'approver'],
  edit_policy: ['owner'],
  judge_rollout: ['owner', 'approver'],
  switch_stage: ['owner'],
} as const satisfies Record<string, readonly Role[]>;

let known = $state.raw<Readonly<Record<string, readonly Role[]>>>({});
const asked = new Set<string>();

/** Of somebody else's sign-in nothing is kept. */
export function forgetRights(): void {
  known = {};
  asked.clear();
}

/** Asked once a project. */
export async function learnRights(project: string): Promise<void> {
  if (project === '' || asked.has(project)) return;
  asked.add(project);
  try {
    const { mine } = await membersOf(project);
    known = { ...known, [project]: mine };
  } catch (error) {
    if (ApiProblem.of(error).isPassing) asked.delete(project);
  }
}

/** As long as it is not known, nothing is kept away. */
export function may(act: keyof typeof MAY, project: string, isAdmin = false): boolean {
  const mine = known[project];
  if (mine === undefined || (act === 'audit' && isAdmin)) return true;
  const roles: readonly Role[] = MAY[act];
  return mine.some((role) => roles.includes(role));
}
