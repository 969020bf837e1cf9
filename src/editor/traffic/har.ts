import type { CapturedBody, HeaderList } from '../../gateway/traffic/protocol.ts';
import { type Recorded, textOf } from './recorded.ts';

const CREATOR = { name: 'Model Access', version: '1' };
/** The gateway's actual address would be of no use to readers of the file. */
const BASE = 'http://127.0.0.1/api/v1';

/** Exports exchanges as an HTTP archive (HAR) 1.2. Keys are masked, and bodies are included if they were captured. */
export function harOf(recorded: readonly Recorded[]): object {
  return { log: { version: '1.2', creator: CREATOR, entries: recorded.map(entryOf) } };
}

function entryOf({ row, details, request, answer }: Recorded): object {
  const queueMs = row.queueMs ?? details?.record?.queueMs ?? 0;
  const first = row.firstByteMs ?? row.durationMs;
  return {
    startedDateTime: new Date(row.at).toISOString(),
    time: row.durationMs,
    request: {
      method: request === undefined && isList(row.endpoint) ? 'GET' : 'POST',
      url: `${BASE}${row.endpoint ?? '/'}`,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(details?.requestHeaders),
      queryString: [],
      headersSize: -1,
      bodySize: details?.record?.bytesIn ?? request?.bytes ?? -1,
      ...(request !== undefined && { postData: { mimeType: 'application/json', text: textOf(request) } }),
    },
    response: {
      status: row.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: headersOf(details?.answerHeaders),
      redirectURL: '',
      headersSize: -1,
      bodySize: details?.record?.bytesOut ?? answer?.bytes ?? -1,
      content: contentOf(answer, details?.answerHeaders),
    },
    cache: {},
    timings: {
      blocked: queueMs,
      send: 0,
      wait: Math.max(0, first - queueMs),
      receive: Math.max(0, row.durationMs - first),
    },
    _model: row.model,
    _upstream: row.upstream,
    _end: row.end,
  };
}

function isList(endpoint: string | undefined): boolean {
  return endpoint === '/models' || endpoint === '/balance';
}

function headersOf(headers: HeaderList = []): object[] {
  return headers.map(([name, value]) => ({ name, value }));
}

function contentOf(answer: CapturedBody | undefined, headers: HeaderList = []): object {
  const mimeType = headers.find(([name]) => name === 'content-type')?.[1] ?? 'application/json';
  return { size: answer?.bytes ?? 0, mimeType, ...(answer?.isReadable === true && { text: textOf(answer) }) };
}
