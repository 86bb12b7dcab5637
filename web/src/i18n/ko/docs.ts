// The API reference.

export const docs = {
  'docs.title': 'API 문서',
  'docs.text': '이 서버의 REST API입니다. 로그인한 계정으로 바로 호출해 볼 수 있습니다.',
};
