import { randomUUID } from 'node:crypto';
import type { ChatEvent, ChatRequest, FormatName, Usage } from '../../formats/conversation.ts';
import type { LedgerEntry } from '../../gateway/ledger/ledgerEntry.ts';
import type { ApiClient } from '../../service/apiClient.ts';
import { streamChat } from '../../service/chat.ts';
import type { Prices } from '../../service/modelPrices.ts';
import { ServiceError } from '../../service/serviceError.ts';
import type { CallOptions } from '../../service/transport.ts';

/** A question to the service or the sandbox, past the gateway. */
export interface ChatCall {
  readonly client: ApiClient;
  /** Who answers, as the gateway names its upstreams. */
  readonly upstream: 'hosted' | 'sandbox';
  readonly format: FormatName;
  readonly request: ChatRequest;
  /** Which part of the editor asks. */
  readonly source: Exclude<LedgerEntry['source'], 'gateway'>;
  /** Of the chat panel. */
  readonly conversationId?: string;
  readonly options?: CallOptions;
}

const PATHS = {
  'chat-completions': '/chat/completions',
  messages: '/messages',
  responses: '/responses',
} as const satisfies Record<FormatName, string>;

/**
 * {@link streamChat}, with an entry for the ledger when it is over: also when it failed, or when whoever reads stops.
 * @param prices of the model as they are now; the entry keeps them.
 */
export async function* recordedChat(
  call: ChatCall,
  prices: () => Prices | undefined,
  record: (entry: LedgerEntry) => void,
): AsyncGenerator<ChatEvent, void, undefined> {
  const watch = new CallWatch();
  try {
    for await (const event of streamChat(call.client, call.format, call.request, call.options)) {
      watch.see(event);
      yield event;
    }
    watch.end();
  } catch (error) {
    watch.fail(error);
    throw error;
  } finally {
    record({ ...entryOf(call), ...watch.facts(), ...pricesOf(prices()) });
  }
}

/** What can be seen of a call while its events go by. */
class CallWatch {
  readonly #at = Date.now();
  readonly #startedAt = performance.now();
  #firstByteAt: number | undefined;
  #usage: Usage | undefined;
  #status: number | undefined;
  /** Until it says otherwise, whoever reads has stopped. */
  #end: LedgerEntry['end'] = 'clientLeft';

  see(event: ChatEvent): void {
    this.#firstByteAt ??= performance.now();
    this.#status = 200;
    if (event.type === 'usage') this.#usage = event.usage;
    if (event.type === 'error') this.#end = 'upstreamFailed';
  }

  end(): void {
    if (this.#end === 'clientLeft') this.#end = 'completed';
  }

  /** A call that was cancelled throws the reason of its signal, which is none of the service's errors. */
  fail(error: unknown): void {
    if (!(error instanceof ServiceError)) return;
    this.#end = 'upstreamFailed';
    this.#status ??= error.status;
  }

  facts(): Pick<LedgerEntry, 'at' | 'durationMs' | 'end'> & Partial<LedgerEntry> {
    return {
      at: this.#at,
      durationMs: performance.now() - this.#startedAt,
      end: this.#end,
      ...(this.#firstByteAt !== undefined && { firstByteMs: this.#firstByteAt - this.#startedAt }),
      ...(this.#usage !== undefined && { usage: this.#usage }),
      ...(this.#status !== undefined && { status: this.#status }),
    };
  }
}

function entryOf({ upstream, format, request, source, conversationId }: ChatCall) {
  return {
    id: randomUUID(),
    source,
    endpoint: PATHS[format],
    formatIn: format,
    formatOut: format,
    model: request.model,
    upstream,
    ...(conversationId !== undefined && { conversationId }),
  };
}

function pricesOf(prices: Prices | undefined): Pick<LedgerEntry, 'prices'> {
  if (prices === undefined) return {};
  const { inputPrice, outputPrice, cachedInputPrice } = prices;
  return {
    prices: {
      ...(inputPrice !== undefined && { inputPrice }),
      ...(outputPrice !== undefined && { outputPrice }),
      ...(cachedInputPrice !== undefined && { cachedInputPrice }),
    },
  };
}
