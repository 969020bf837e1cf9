import type { OutgoingHttpHeaders } from 'node:http';
import { decompress } from '../http/contentEncoding.ts';
import type { Upstream, UpstreamRequest } from './upstream.ts';

export interface WholeAnswer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  /** Decompressed. */
  readonly body: Buffer;
  /** As it came, and as the headers describe it. */
  readonly raw: Buffer;
}

const MAX_BYTES = 16 * 1024 * 1024;

/** An answer that is small and not a stream; `undefined` when there was none within `timeoutMs`. */
export function askWhole(
  upstream: Upstream,
  request: UpstreamRequest,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<WholeAnswer | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let [status, headers]: [number, OutgoingHttpHeaders] = [0, {}];
    const settle = (answer?: WholeAnswer) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    const giveUp = () => {
      call.cancel();
      settle();
    };
    const timer = setTimeout(giveUp, timeoutMs);
    const call = upstream.send(request, {
      start(theStatus, theHeaders) {
        [status, headers] = [theStatus, theHeaders];
      },
      data(chunk) {
        chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk));
        return true;
      },
      end() {
        const raw = Buffer.concat(chunks);
        const body = decompress(raw, String(headers['content-encoding'] ?? ''), MAX_BYTES);
        settle(body === undefined ? undefined : { status, headers, body, raw });
      },
      fail: () => settle(),
    });
    signal?.addEventListener('abort', giveUp);
  });
}
