import { wireFormats } from '../../../formats/index.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import type { Account, Accounts } from './account.ts';
import type { Conversations } from './conversations.ts';
import { type Course, type FaultPlan, wordInHeaders } from './faults.ts';
import type { IdSource } from './ids.ts';
import type { Headers, RateLimits } from './rateLimits.ts';

/** What one sandbox keeps between requests, and its clock. */
export interface Memory {
  readonly accounts: Accounts;
  readonly limits: RateLimits;
  readonly faults: FaultPlan;
  readonly conversations: Conversations;
  readonly ids: IdSource;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** One request under way: what every answer to it needs to know. */
export class Exchange {
  readonly request: UpstreamRequest;
  /** The caller's: errors are spelt in it, and the names of rate-limit headers belong to it. */
  readonly format: WireFormat;
  readonly requestId: string;
  /** @throws when the body is not JSON or has too much of something. */
  readonly readBody: () => unknown;
  readonly #memory: Memory;

  constructor(request: UpstreamRequest, memory: Memory, readBody: () => unknown) {
    this.request = request;
    this.readBody = readBody;
    this.format = wireFormats[request.callerFormat];
    this.requestId = memory.ids.next('req_');
    this.#memory = memory;
  }

  get account(): Account {
    return this.#memory.accounts.of(this.request.localKeyId);
  }

  /**
   * The fault that the request asks for, behind the model's name or else in a header.
   * @param modelId empty for requests without a model.
   * @throws {RequestError} when the fault is an error answer.
   */
  fault(word: string | undefined, modelId: string): Course | undefined {
    const { headers, localKeyId } = this.request;
    return this.#memory.faults.apply(word ?? wordInHeaders(headers), `${localKeyId} ${modelId}`);
  }

  /** The headers of every answer. */
  headers(): Headers {
    return {
      'x-model-access-sandbox': 'true',
      'request-id': this.requestId,
      'x-request-id': this.requestId,
      ...this.#memory.limits.headers(this.request.localKeyId, this.format.name),
    };
  }
}
