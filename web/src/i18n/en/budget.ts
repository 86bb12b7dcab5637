// Budgets that run out, told beside every screen.

import type { budget as ko } from '../ko/budget';

export const budget: Record<keyof typeof ko, string> = {
  'budget.notice': 'Budgets that run out',
  'budget.near': 'At least {percent} is used: {what}.',
  'budget.spent': 'Used up: {what}.',
  'budget.see': 'See the usage',
  'budget.hide': 'Hide this',
  'budget_window.day': 'the project’s budget of today',
  'budget_window.month': 'the project’s budget of this month',
  'budget_window.user_day': 'your own budget of today',
  'budget_window.user_month': 'your own budget of this month',
};
