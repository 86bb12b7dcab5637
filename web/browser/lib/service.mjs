// A service of somebody else: slow, lost or long-winded on purpose.
import { createServer } from 'node:http';
import { once } from 'node:events';

/** Answers by path: `(request, response) => …`; what is not named is answered with an empty list. */
export class Service {
  requests = [];

  constructor(paths = {}) {
    this.paths = paths;
  }

  async start() {
    this.server = createServer((request, response) => {
      this.requests.push(`${request.method} ${request.url}`);
      const answer = this.paths[request.url] ?? ((_, plain) => json(plain, []));
      answer(request, response);
    });
    this.server.listen(0, '127.0.0.1').unref();
    await once(this.server, 'listening');
    this.port = this.server.address().port;
    this.url = `http://127.0.0.1:${this.port}`;
    return this;
  }

  /** Lets a project reach it. */
  allow(policy) {
    policy.allowedHosts.push({ host: '127.0.0.1', scheme: 'http', port: this.port, private: true });
  }
}

export function json(response, value) {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** The answer that never comes. */
export const silence = () => undefined;
/** It was heard, and nobody knows what became of it. */
export const lost = (request) => request.socket.destroy();
