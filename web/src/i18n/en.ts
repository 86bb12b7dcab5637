// Texts of the first screens in English.

import { app } from './en/app';
import { budget } from './en/budget';
import { chat } from './en/chat';
import { decision } from './en/decision';
import { halt } from './en/halt';
import { override } from './en/override';
import { risk } from './en/risk';
import { ui } from './en/ui';
import type { FirstTexts } from './ko';

export const en = { ...app, ...budget, ...chat, ...decision, ...halt, ...override, ...risk, ...ui } satisfies FirstTexts;
