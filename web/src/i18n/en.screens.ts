// Texts of all screens but the first ones, in English.

import { policy } from './en/policy';
import { rollout } from './en/rollout';
import { documents } from './en/documents';
import { memory } from './en/memory';
import { profile } from './en/profile';
import { panel } from './en/panel';
import { people } from './en/people';
import { docs } from './en/docs';
import { later } from './en/later';
import { audit } from './en/audit';
import { inbox } from './en/inbox';
import { runs } from './en/runs';
import { why } from './en/why';
import { setup } from './en/setup';
import { systems } from './en/systems';
import { models } from './en/models';
import { ghost } from './en/ghost';
import { usage } from './en/usage';
import type { screens as ko } from './ko.screens';

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
} satisfies Record<keyof typeof ko, string>;
