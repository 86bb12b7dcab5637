// What is left of a project's budgets: known to the notice beside every screen and to the one that
// shows them whole.

import { api, ask, type Schemas } from '../api/client';

export type Budgets = Schemas['BudgetsView'];

let known = $state.raw<{ project: string; view: Budgets } | null>(null);
let asked = '';

export function budgetsOf(project: string): Budgets | null {
  return known?.project === project ? known.view : null;
}

export async function loadBudgets(project: string): Promise<void> {
  asked = project;
  const view = await ask(api.GET('/projects/{id}/budgets', { params: { path: { id: project } } }));
  // Another project was opened meanwhile.
  if (asked === project) known = { project, view };
}

/** Of somebody else's sign-in nothing is kept. */
export function forgetBudgets(): void {
  [known, asked] = [null, ''];
}
