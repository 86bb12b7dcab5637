// Conversations on hold.

export const risk = {
  'risk.notice': '보류',
  'risk.heard': '이 대화가 보류되었습니다.',
  'risk.here': '이 대화는 위험 신호가 쌓여 보류되었습니다. 아무것도 실행하지 않습니다.',
  'risk.of': '{project} 프로젝트에서 {name} 사용자가 시작한 대화',
  'risk.list': '보류된 대화',
  'risk.score': '위험 점수 {score} (한도 {limit})',
  'risk.times': '{count}번',
  'risk.ask': '저절로 풀리지 않습니다. 프로젝트의 승인자나 소유자, 관리자에게 확인을 요청하세요. 다른 사람이 없다면 새 대화를 시작하세요.',
  'risk.clear': '보류 해제',
  'risk.clear_title': '보류 해제',
  'risk.clear_text': '위험 점수를 0으로 되돌립니다. 멈췄던 일이 저절로 이어지지는 않으며, 앞으로 요청하는 일은 새로 판단합니다.',
  'risk.reason': '이유',
  'risk.reason_hint': '대화에 표시되고 기록에 남습니다.',
  'risk.cleared': '보류를 풀었습니다.',
  'risk_in.said': '대화에서',
  'risk_in.read': '읽은 내용에서',
  'risk_in.done': '하려던 일에서',
};
