// 임시 정책: 모든 화면의 알림.

export const override = {
  'override.notice': '임시 정책',
  'override.runs': '임시 정책이 시행 중입니다.',
  'override.waits': '임시 정책 제안이 두 번째 승인을 기다립니다.',
  'override.left': '남은 시간: {left}',
  'override.hours': '{hours}시간 {minutes}분',
  'override.minutes': '{minutes}분',
  'override.see': '보기',
  'override_scope.request': '요청 하나',
  'override_scope.type': '작업 유형: {task}',
  'override_scope.window': '모든 요청',
};
