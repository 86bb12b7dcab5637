// Texts of all screens but the first ones: loaded with the first of them.

import { policy } from './ko/policy';
import { rollout } from './ko/rollout';
import { documents } from './ko/documents';
import { memory } from './ko/memory';
import { profile } from './ko/profile';
import { panel } from './ko/panel';
import { people } from './ko/people';
import { docs } from './ko/docs';
import { later } from './ko/later';
import { audit } from './ko/audit';
import { inbox } from './ko/inbox';
import { runs } from './ko/runs';
import { why } from './ko/why';
import { setup } from './ko/setup';
import { systems } from './ko/systems';
import { models } from './ko/models';
import { ghost } from './ko/ghost';
import { usage } from './ko/usage';

export const screens = {
  ...policy,
  ...rollout,
  ...documents,
  ...memory,
  ...profile,
  ...panel,
  ...people,
  ...docs,
  ...later,
  ...audit,
  ...inbox,
  ...runs,
  ...why,
  ...setup,
  ...systems,
  ...models,
  ...ghost,
  ...usage,
};
