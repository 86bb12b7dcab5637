// Texts of the first screens in Korean: the truth for the keys. One file a screen in `ko/` and
// `en/`; those of the other screens stand in `ko.screens.ts`.

import { app } from './ko/app';
import { budget } from './ko/budget';
import { chat } from './ko/chat';
import { decision } from './ko/decision';
import { halt } from './ko/halt';
import { override } from './ko/override';
import { risk } from './ko/risk';
import { ui } from './ko/ui';
import type { screens } from './ko.screens';

export const ko = { ...app, ...budget, ...chat, ...decision, ...halt, ...override, ...risk, ...ui };

export type FirstTexts = Record<keyof typeof ko, string>;
export type Texts = FirstTexts & Record<keyof typeof screens, string>;
