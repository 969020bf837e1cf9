import { readFileSync } from 'node:fs';
import type { JsonRecord } from '../../../../src/formats/json.ts';
import type { Usage } from '../../../../src/formats/usage.ts';
import { CacheWatch, type Loop, type WatchResult } from '../../../../src/gateway/caching/cacheWatch.ts';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';

/** Returns the body that an agent sent in a recorded task. */
export function recordedBody(
  name: string,
): JsonRecord & { messages: JsonRecord[]; tools: JsonRecord[]; input: JsonRecord[] } {
  const file = new URL(`../../../fixtures/agents/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')).body;
}

export const MINUTE = 60_000;
export const PROMPT_TOKENS = 20_000;
/** Everything is written to the cache and nothing is read. */
export const MISSED: Usage = {
  inputTokens: PROMPT_TOKENS,
  outputTokens: 10,
  cachedInputTokens: 0,
  cacheWriteTokens: PROMPT_TOKENS,
};

export interface Sent {
  readonly body: object;
  /** In milliseconds. */
  readonly at?: number;
  readonly session?: string;
  readonly model?: string;
  readonly record?: Partial<ExchangeRecord>;
}

/** Sends requests to a {@link CacheWatch}, as the gateway does. */
export class Sender {
  readonly loops: Loop[] = [];
  readonly #watch = new CacheWatch(Buffer.alloc(32, 7), (loop) => this.loops.push(loop));
  #count = 0;

  /** @returns the ID of the request, whose answer has not ended. */
  begin({ body, at = 0, session, model = 'familya-sonnet-4.6' }: Sent, firstByteAt?: number): string {
    this.#count += 1;
    const id = `req_${this.#count}`;
    this.#watch.sent({
      id,
      localKeyId: 'tests',
      userAgent: 'tests',
      model,
      session: {
        ids: session === undefined ? undefined : { sessionId: session },
        requestClass: undefined,
        agentType: undefined,
        toolMs: undefined,
      },
      startedAt: at,
      firstByteAt: () => firstByteAt,
      body: Buffer.from(JSON.stringify(body)),
    });
    return id;
  }

  end(id: string, { at = 0, model = 'familya-sonnet-4.6', record }: Sent): WatchResult | undefined {
    const ended: ExchangeRecord = {
      id,
      at,
      callerFormat: 'messages',
      model,
      upstream: 'hosted',
      upstreamFormat: 'messages',
      status: 200,
      firstByteMs: 500,
      durationMs: 1000,
      bytesIn: 0,
      bytesOut: 0,
      usage: MISSED,
      end: 'completed',
      ...record,
    };
    return this.#watch.ended(ended, ended.upstreamFormat === 'messages');
  }

  send(sent: Sent): WatchResult | undefined {
    return this.end(this.begin(sent), sent);
  }

  /** Returns the miss of the second request in a session. */
  missAfter(first: Sent, second: Sent): WatchResult['miss'] {
    this.send({ session: 'session', ...first });
    return this.send({ session: 'session', at: MINUTE, ...second })?.miss;
  }
}
