import type { OutgoingHttpHeaders } from 'node:http';
import { BoundedBytes, MAX_WHOLE_BYTES } from '../http/byteList.ts';
import { decompress } from '../http/contentEncoding.ts';
import { encodingOf } from '../http/headers.ts';
import type { Upstream, UpstreamCall, UpstreamRequest } from './upstream.ts';

export interface WholeAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** Decompressed. */
  readonly body: Buffer;
  /** The body as received, in the encoding that the headers name. */
  readonly raw: Buffer;
}

/**
 * Sends a request whose answer is small and not a stream. Resolves with `undefined` if there was no answer within
 * `timeoutMs`, if it failed, or if it is too long.
 */
export function askWhole(
  upstream: Upstream,
  request: UpstreamRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<WholeAnswer | undefined> {
  return new Promise((resolve) => {
    const bytes = new BoundedBytes();
    let [status, headers]: [number, OutgoingHttpHeaders] = [0, {}];
    const settle = (answer?: WholeAnswer) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    const giveUp = () => {
      // Undefined if an upstream in this process answers before `send` returns.
      call?.cancel();
      settle();
    };
    const timer = setTimeout(giveUp, timeoutMs);
    let call: UpstreamCall | undefined;
    call = upstream.send(request, {
      start(theStatus, theHeaders) {
        [status, headers] = [theStatus, theHeaders];
      },
      data(chunk) {
        if (!bytes.add(chunk)) giveUp();
        return true;
      },
      end() {
        const raw = bytes.concat();
        const body = decompress(raw, encodingOf(headers), MAX_WHOLE_BYTES);
        settle(body === undefined ? undefined : { status, headers, body, raw });
      },
      fail: () => settle(),
    });
    signal?.addEventListener('abort', giveUp);
  });
}
