// The answer to “why”, by its route.

import type { paths } from '../../api/schema';

export type Why =
  paths['/blueprints/{id}/why']['get']['responses']['200']['content']['application/json'];
export type PlanGraph =
  paths['/blueprints/{id}/graph']['get']['responses']['200']['content']['application/json'];
export type Review =
  paths['/sessions/{id}/turns/{turn}/why']['get']['responses']['200']['content']['application/json']['reviews'][number];
export type Call =
  paths['/sessions/{id}/turns/{turn}/why']['get']['responses']['200']['content']['application/json']['calls'][number];
