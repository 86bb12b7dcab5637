// A model server that wants a key: it answers to one, and remembers what it was shown.
import { Model } from './model.mjs';
import { json } from './service.mjs';

export class Provider extends Model {
  /** Of every request: its path, and the key that came with it. */
  heard = [];

  constructor({ key, models, answer }) {
    super(answer);
    this.key = key;
    this.models = models;
  }

  /** In a project's policy, with the first of its models. */
  name(policy) {
    super.name(policy);
    policy.governorModel = this.models[0];
  }

  async serve(request, response) {
    const key = (request.headers['authorization'] ?? '').replace(/^Bearer /, '');
    const path = new URL(request.url, this.origin).pathname;
    this.heard.push({ method: request.method, path, key, headers: JSON.stringify(request.headers) });
    if (key !== this.key) refuse(response);
    else if (request.method === 'GET' && path.endsWith('/models')) {
      json(response, { object: 'list', data: this.models.map((id) => ({ id, object: 'model' })) });
    } else if (path.endsWith('/embeddings')) {
      json(response, { object: 'list', data: [{ object: 'embedding', index: 0, embedding: VECTOR }], usage: { prompt_tokens: 9 } });
    } else await super.serve(request, response);
  }
}

export const VECTOR = [0.5, -0.25, 0.125];

/** As OpenAI words it. */
function refuse(response) {
  const error = { message: 'Incorrect API key provided.', type: 'invalid_request_error', code: 'invalid_api_key' };
  response.writeHead(401, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify({ error }));
}
