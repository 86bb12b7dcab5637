// Budgets that run out, told beside every screen.

import type { budget as ko } from '../ko/budget';

export const budget: Record<keyof typeof ko, string> = {
  'budget.notice': 'Budget notice',
  'budget.near': 'At least {percent} used: {what}.',
  'budget.spent': 'Used up: {what}.',
  'budget.see': 'View usage',
  'budget.hide': 'Dismiss',
  'budget_window.day': 'the project’s budget for today',
  'budget_window.month': 'the project’s budget for this month',
  'budget_window.user_day': 'your budget for today',
  'budget_window.user_month': 'your budget for this month',
};
