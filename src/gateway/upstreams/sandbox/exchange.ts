import { wireFormats } from '../../../formats/index.ts';
import type { WireFormat } from '../../../formats/wireFormat.ts';
import type { Course } from '../../../sandbox/faultNames.ts';
import type { IdSource } from '../../../sandbox/ids.ts';
import type { UpstreamRequest } from '../../core/upstream.ts';
import type { Accounts, SandboxAccount } from './account.ts';
import type { Conversations } from './conversations.ts';
import { type FaultPlan, wordInHeaders } from './faults.ts';
import type { PromptCache } from './promptCache.ts';
import type { Headers, RateLimits } from './rateLimits.ts';

/** The sandbox's state between requests, and its clock. */
export interface Memory {
  readonly accounts: Accounts;
  readonly limits: RateLimits;
  readonly faults: FaultPlan;
  readonly conversations: Conversations;
  readonly cache: PromptCache;
  readonly ids: IdSource;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export class SandboxExchange {
  readonly request: UpstreamRequest;
  /** The caller's format, which determines the form of errors and the names of rate-limit headers. */
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

  get account(): SandboxAccount {
    return this.#memory.accounts.of(this.request.localKeyId);
  }

  /**
   * Returns the fault that the request asks for, by a suffix of the model's name, in its question, or else by a header.
   * @param modelId empty for requests without a model.
   * @throws {RequestError} if the fault is an error response.
   */
  fault(word: string | undefined, modelId: string): Course | undefined {
    const { headers, localKeyId } = this.request;
    return this.#memory.faults.apply(word ?? wordInHeaders(headers), `${localKeyId} ${modelId}`);
  }

  headers(): Headers {
    return {
      'x-model-access-sandbox': 'true',
      'request-id': this.requestId,
      'x-request-id': this.requestId,
      ...this.#memory.limits.headers(this.request.localKeyId, this.format.name),
    };
  }
}
