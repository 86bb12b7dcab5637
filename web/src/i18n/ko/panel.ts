// The panel of a conversation.

export const panel = {
  'panel.now': '지금',
  'panel.language': '언어',
  'panel.no_language': '아직 없음',
  'panel_language.ko': '한국어',
  'panel_language.en': '영어',
  'panel.task': '하고 있는 일',
  'panel.no_task': '없음',
  'panel.aside': '미루어 두었거나 차례를 기다리는 일',
  'panel.last_words': '최근에 하신 말씀',
  'panel.remembered': '기억하고 있는 것',
  'panel.text': '모델이 규칙 아래에서 참고하는 내용입니다. 이것으로 결정되는 일은 없습니다.',
  'panel.nothing': '비어 있습니다.',
  'panel.memory': '전체 보기, 고치기, 잊게 하기: {what}',
  'panel.cited': '답변이 인용한 구절',
  'panel.open': '열기: {what}',
  'panel.waits': '동의를 기다리는 변경 {count}건',
};
