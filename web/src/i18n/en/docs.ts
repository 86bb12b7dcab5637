// The API reference.

import type { docs as ko } from '../ko/docs';

export const docs: Record<keyof typeof ko, string> = {
  'docs.title': 'API reference',
  'docs.text': 'The REST API of this server. Requests are sent with the account that is signed in.',
};
