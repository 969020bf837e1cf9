import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type { ChatEvent, Usage } from '../../formats/conversation.ts';
import { ENDPOINT_PATHS } from '../../formats/endpointPaths.ts';
import type { LedgerEntry } from '../../gateway/core/ledgerEntry.ts';
import type { Attempt } from '../../gateway/traffic/protocol.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { CallOptions, RequestHead } from '../../service/transport.ts';
import type { ChatCall } from './chatCall.ts';

/** What can be seen of one call while it goes on, and afterwards. Holds nothing of what is said, and no key. */
export class CallWatch {
  readonly id = randomUUID();
  readonly #call: Omit<ChatCall, 'client' | 'request' | 'options'>;
  readonly #model: string;
  readonly #cancelled = new AbortController();
  readonly #at = Date.now();
  readonly #startedAt = performance.now();
  #durationMs: number | undefined;
  #firstByteAt: number | undefined;
  #usage: Usage | undefined;
  #status: number | undefined;
  #problem: string | undefined;
  /** A call that nothing else ended was ended by its reader, who stopped reading. */
  #end: LedgerEntry['end'] = 'clientLeft';
  /** Of the last try. */
  #request: RequestHead | undefined;
  #answerHeaders: Headers | undefined;
  readonly #attempts: Attempt[] = [];

  constructor({ client: _, request, options: __, ...call }: ChatCall) {
    this.#call = call;
    this.#model = request.model;
  }

  /** What the caller wants, and what this watch wants to know. */
  options({ signal, ...others }: CallOptions = {}): CallOptions {
    const own = this.#cancelled.signal;
    return {
      ...others,
      signal: signal === undefined ? own : AbortSignal.any([signal, own]),
      onRequest: (head) => {
        this.#request = head;
        this.#status = undefined;
        this.#attempts.push({ upstream: this.#call.upstream, atMs: performance.now() - this.#startedAt });
      },
      onResponse: (head) => {
        this.#answerHeaders = head.headers;
        this.#status = head.status;
        others.onResponse?.(head);
      },
    };
  }

  /** Ends the call; whoever reads it gets an `AbortError` with words for a person. */
  cancel(): void {
    this.#end = 'cancelled';
    this.#cancelled.abort(new DOMException(l10n.t('Canceled in the Traffic view.'), 'AbortError'));
  }

  see(event: ChatEvent): void {
    this.#firstByteAt ??= performance.now();
    this.#status ??= 200;
    if (event.type === 'usage') this.#usage = event.usage;
    if (event.type === 'error') this.#break(event.error.message);
  }

  end(): void {
    if (this.#end === 'clientLeft') this.#end = 'completed';
  }

  /** A call that was cancelled throws the reason of its signal, which is none of the service's errors. */
  fail(error: unknown): void {
    if (!(error instanceof ServiceError)) return;
    this.#break(error.message);
    this.#status ??= error.status;
  }

  /** Nothing comes any more. */
  close(): void {
    this.#durationMs = performance.now() - this.#startedAt;
  }

  /** As the ledger keeps it, or would keep it if it ended now. */
  entry(): LedgerEntry {
    const { format, source, upstream, conversationId } = this.#call;
    return {
      id: this.id,
      at: this.#at,
      source,
      endpoint: ENDPOINT_PATHS[format],
      callerFormat: format,
      upstreamFormat: format,
      model: this.#model,
      upstream,
      durationMs: this.#durationMs ?? performance.now() - this.#startedAt,
      end: this.#end,
      ...(conversationId !== undefined && { conversationId }),
      ...(this.#firstByteAt !== undefined && { firstByteMs: this.#firstByteAt - this.#startedAt }),
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(this.#status !== undefined && { status: this.#status }),
    };
  }

  /** What the ledger does not keep. */
  get head() {
    return {
      isOver: this.#durationMs !== undefined,
      request: this.#request,
      answerHeaders: this.#answerHeaders,
      attempts: this.#attempts,
      problem: this.#problem,
    };
  }

  #break(problem: string): void {
    this.#end = 'upstreamFailed';
    this.#problem = problem;
  }
}
