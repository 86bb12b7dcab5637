// Budgets that run out, told beside every screen.

export const budget = {
  'budget.notice': '예산 알림',
  'budget.near': '{percent} 이상 썼습니다: {what}.',
  'budget.spent': '다 썼습니다: {what}.',
  'budget.see': '사용량 보기',
  'budget.hide': '알림 숨기기',
  'budget_window.day': '프로젝트의 하루 예산',
  'budget_window.month': '프로젝트의 한 달 예산',
  'budget_window.user_day': '내 하루 예산',
  'budget_window.user_month': '내 한 달 예산',
};
