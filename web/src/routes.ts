// Every screen and its address. A new one also has its entry in `shell/Sidebar.svelte` and its words in
// `i18n/`.

import { firstRoute, route, type Route } from './router.svelte';

export const routes: readonly Route[] = [
  firstRoute('/sign-in', () => import('./routes/sign-in/SignIn.svelte'), true),
  firstRoute('/p/:project/chat/:session?', () => import('./routes/chat/Chat.svelte')),
  route('/p/:project/policy', () => import('./routes/policy/Policy.svelte')),
  route('/p/:project/rollout', () => import('./routes/rollout/Rollout.svelte')),
  route('/approvals/:id?', () => import('./routes/approvals/Approvals.svelte')),
  route('/p/:project/why/:blueprint', () => import('./routes/why/Why.svelte')),
  route('/p/:project/turns/:turn', () => import('./routes/why/Turn.svelte')),
  route('/p/:project/executions', () => import('./routes/executions/Executions.svelte')),
  route('/p/:project/executions/:id', () => import('./routes/executions/Execution.svelte')),
  route('/p/:project/audit', () => import('./routes/audit/Audit.svelte')),
  route('/p/:project/memory', () => import('./routes/memory/Memory.svelte')),
  route('/p/:project/documents/:document?', () => import('./routes/documents/Documents.svelte')),
  route('/p/:project/profile', () => import('./routes/profile/Profile.svelte')),
  route('/p/:project/systems/:name?', () => import('./routes/systems/Systems.svelte')),
  route('/p/:project/models', () => import('./routes/models/Models.svelte')),
  route('/p/:project/ghost', () => import('./routes/ghost/Ghost.svelte')),
  route('/p/:project/usage', () => import('./routes/usage/Usage.svelte')),
  route('/account', () => import('./routes/people/Account.svelte')),
  route('/tokens', () => import('./routes/people/Tokens.svelte')),
  route('/users', () => import('./routes/people/Users.svelte')),
  route('/p/:project/members', () => import('./routes/people/Members.svelte')),
  route('/docs', () => import('./routes/docs/Docs.svelte')),
  route('/setup', () => import('./routes/setup/Setup.svelte'), true),
];
