/** A gateway in front of a server that refuses some requests in its own words. */
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { RefusalMemory } from '../../../../src/gateway/upstreams/repairs/refusalMemory.ts';
import { ModelServer } from '../../../support/modelServer/modelServer.ts';
import type { Said } from '../../../support/modelServer/script.ts';
import { send } from '../support/client.ts';
import { closeLater, startGateway } from '../support/gateway.ts';

// biome-ignore lint/suspicious/noExplicitAny: bodies of all formats
export type Json = any;

export interface Refused {
  readonly status?: number;
  readonly body: unknown;
}

/** Returns what the server says to a body, or undefined if it accepts it. */
export type Refuse = (body: Json) => Refused | undefined;

interface Accepting {
  /** Returns what the server answers to a body that it accepts. */
  readonly partsFor?: (body: Json) => Said['parts'];
  /** Its list of models, if it has one. */
  readonly catalog?: object;
}

/** An error as most servers write it. */
export function error(message: string, further: object = {}): Refused {
  return { body: { error: { message, type: 'invalid_request_error', param: null, code: null, ...further } } };
}

export async function startPickyServer(
  refuse: Refuse,
  format: FormatName = 'chat-completions',
  memory = new RefusalMemory(),
  { partsFor = () => [{ text: 'Hi' }], catalog }: Accepting = {},
) {
  const server = await ModelServer.start(({ body, path }) => {
    if (path.endsWith('/models')) return catalog && { status: 200, body: catalog };
    const refused = refuse(body);
    return refused === undefined ? { parts: partsFor(body) } : { status: 400, ...refused };
  });
  closeLater(() => server.close());
  const formats = [format];
  const settings = { id: 'picky', baseUrl: server.baseUrl, formats, models: ['*'] };
  const router = new Router([{ ...settings, upstream: createCompatible(settings, memory) }]);
  closeLater(() => router.close());
  const gateway = await startGateway({ upstream: router });
  const ask = async (caller: FormatName, body: object) => {
    const path = `/api/v1${wireFormats[caller].path}`;
    const answer = await send({ port: gateway.port, path, body: JSON.stringify({ model: 'm', ...body }) });
    const dropped = String(answer.headers['x-model-access-dropped'] ?? '')
      .split(', ')
      .filter(Boolean);
    return { status: answer.status, text: answer.body.toString(), dropped };
  };
  return { ...gateway, ask, memory, bodies: (): Json[] => server.requests.map(({ body }) => body) };
}
