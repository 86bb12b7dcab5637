// What went wrong, as the server says it (RFC 9457) or as the browser found it.

import type { components } from './schema';

type Body = components['schemas']['Problem'];

/** Codes of our own, where no server answered in its own words. */
export type LocalCode = 'UNREACHABLE' | 'NOT_UNDERSTOOD' | 'PART_MISSING';

export class ApiProblem extends Error {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly suggestion: string;
  readonly params: Record<string, unknown>;
  readonly traceId: string | null;

  constructor(body: Partial<Body> & { code: string; status: number }) {
    super(body.code);
    this.name = 'ApiProblem';
    this.code = body.code;
    this.status = body.status;
    this.title = body.title ?? '';
    this.suggestion = body.suggestion ?? '';
    this.params = body.params ?? {};
    this.traceId = body.trace_id ?? null;
  }

  /** The same request may succeed later without any change. */
  get isPassing(): boolean {
    return (this.status === 0 && this.code !== 'PART_MISSING') || this.status === 503 || this.code === 'IDEMPOTENCY_IN_FLIGHT';
  }

  /** What stands on the page is not what the server has by now: it is to be read anew. */
  get isOutdated(): boolean {
    return this.status === 409 || this.status === 412;
  }

  /** What is wrong with that field of what was sent, where it is the one that was refused. */
  reasonAt(field: string): string | undefined {
    const { field: named, reason } = this.params;
    return named === field && typeof reason === 'string' ? reason : undefined;
  }

  static local(code: LocalCode, status = 0): ApiProblem {
    return new ApiProblem({ code, status });
  }

  static of(error: unknown): ApiProblem {
    return error instanceof ApiProblem ? error : ApiProblem.local('UNREACHABLE');
  }

  static async ofResponse(response: Response): Promise<ApiProblem> {
    const body: unknown = await response.json().catch(() => null);
    return ApiProblem.ofBody(body, response.status);
  }

  static ofBody(body: unknown, status: number): ApiProblem {
    if (typeof body === 'object' && body !== null && 'code' in body) {
      return new ApiProblem({ ...(body as Body), status });
    }
    return ApiProblem.local('NOT_UNDERSTOOD', status);
  }
}
