import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { Budget, IssuedKey } from '../../../../src/gateway/keys/issuedKey.ts';
import type { RequestHandlerOptions } from '../../../../src/gateway/server/requestHandlerOptions.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { type Answer, type AskedRequest, ModelServer } from '../../../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../support/client.ts';
import { closeLater, type RunningGateway, SERVICE_KEY, startGateway } from '../support/gateway.ts';

/** $1 per 1M tokens of input, $10 of output. */
const LISTED = { id: 'model-a', pricing: { input: 1, output: 10, cached_input: 0.1 } };
/** A model with a fee of $0.01 per search. */
export const SEARCHING = 'searching';
const WITH_SEARCH = { ...LISTED, id: SEARCHING, pricing: { ...LISTED.pricing, web_search: 0.01 } };
export const LIST: Answer = {
  status: 200,
  body: { object: 'list', data: [LISTED, WITH_SEARCH, { id: 'unpriced' }] },
};

export const isList = ({ path }: AskedRequest) => path.startsWith('/api/v1/models');

export const issued = (terms: Partial<IssuedKey> = {}): IssuedKey => ({
  id: 'aider',
  name: 'aider',
  secret: LOCAL_KEY,
  createdAt: 0,
  ...terms,
});
export const withBudget = (amount: number, unit: Budget['unit'] = 'tokens'): IssuedKey =>
  issued({ budgets: [{ amount, unit, period: 'total' }] });

export interface Limited extends RunningGateway {
  readonly server: ModelServer;
}

/** A speed with which a model can use all that its request allows, in no time. In tokens per second. */
export const ANY_SPEED = 1e9;

/**
 * Starts a gateway in front of a scripted service that lists its models.
 * @param maxTokensPerSecond how fast they write at most. Undefined if that is learned.
 */
export async function startLimited(
  key: IssuedKey,
  script: (request: AskedRequest) => Answer,
  options: Partial<RequestHandlerOptions> = {},
  maxTokensPerSecond: number | undefined = ANY_SPEED,
): Promise<Limited> {
  const server = await ModelServer.start((request) => (isList(request) ? LIST : script(request)));
  closeLater(() => server.close());
  const upstream = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY, maxTokensPerSecond });
  closeLater(() => upstream.close());
  return { ...(await startGateway({ upstream, localKeys: [key], ...options })), server };
}

export interface Question {
  readonly model?: string;
  readonly maxTokens?: number;
  readonly stream?: boolean;
  readonly includeUsage?: boolean;
  readonly text?: string;
}

export function question(
  format: FormatName,
  { model = 'model-a', maxTokens = 100, stream = false, includeUsage = true, text = 'How much?' }: Question = {},
): string {
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text }] }];
  const request = { model, maxTokens, system: [], stream, includeUsage, messages };
  return JSON.stringify(wireFormats[format].encodeRequest(request));
}

export const pathOf = (format: FormatName) => `/api/v1${wireFormats[format].path}`;

/** Returns the requests that the upstream received, except those for its list of models. */
export const askedOf = ({ server }: Limited) => server.requests.filter((request) => !isList(request));
