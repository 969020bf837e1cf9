import type { IncomingHttpHeaders } from 'node:http';
import type { FormatName } from '../../formats/conversation.ts';
import { defined } from '../../formats/json.ts';
import type { Prices } from '../../service/modelPrices.ts';
import type { Upstream } from '../core/upstream.ts';
import { type BodyEdits, EditingUpstream } from './bodyEdits.ts';
import { CACHE_KEY, CACHE_MARKS } from './cacheMarks.ts';
import { createHttpUpstream } from './httpUpstream.ts';
import type { HttpUpstreamSettings, WaitingLimits } from './httpUpstreamSettings.ts';
import { AskingUsage } from './includeUsage/askingUsage.ts';
import { RefusalMemory } from './repairs/refusalMemory.ts';
import { RepairingUpstream } from './repairs/repairingUpstream.ts';
import { RotatingKeys } from './rotatingKeys.ts';
import { ThinkTagsUpstream } from './thinkTags.ts';

export interface UpstreamLimits extends WaitingLimits {
  /** From the request to the first output. Undefined or 0 means no limit. */
  readonly firstTokenSeconds?: number | undefined;
}

/** A server that supports at least one of the formats, such as a local model server or another vendor. */
export interface CompatibleSettings extends Omit<HttpUpstreamSettings, 'baseAddress' | 'credentials' | 'limits'> {
  /** The base URL for the formats' paths, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** Not empty. If the caller's format is not included, requests are translated to the first one. */
  readonly formats: readonly FormatName[];
  /** Names of the offered models, in which `*` matches any characters. */
  readonly models: readonly string[];
  /** False for servers whose chat-completions streams must not be asked for their usage. */
  readonly askUsage?: boolean | undefined;
  /** `auto`: adds marks for the upstream's cache to requests of clients that set none. */
  readonly cache?: 'auto' | undefined;
  readonly limits?: UpstreamLimits | undefined;
  /** Further keys. A session stays with one of all keys. */
  readonly furtherKeys?: readonly string[] | undefined;
  /**
   * How the key is sent: `bearer`, `none`, or the name of a header. Default: as a bearer token, and for the messages
   * format in `x-api-key`, too.
   */
  readonly auth?: string | undefined;
  /** By patterns of model names. */
  readonly set?: BodyEdits['set'];
  readonly remove?: BodyEdits['remove'];
  /** By patterns of model names, in US dollars per 1M tokens. */
  readonly prices?: Readonly<Record<string, Prices>> | undefined;
  /** Whether text between `<think>` and `</think>` is reasoning. */
  readonly thinkTags?: boolean | undefined;
}

/** @throws {TypeError} if the base address is not an HTTP or HTTPS address. */
export function createCompatible(settings: CompatibleSettings, refusals = new RefusalMemory()): Upstream {
  const { id, askUsage = true, cache, set, remove, thinkTags } = settings;
  const additions = [...(askUsage ? [new AskingUsage()] : []), ...(cache === 'auto' ? [CACHE_MARKS, CACHE_KEY] : [])];
  const { apiKey: _, furtherKeys: __, maskedTexts: ___, network: ____, headers = {}, ...known } = settings;
  const keyed = withKeys(settings);
  // What the operator sets applies last, and only what can act exists.
  const edited = set === undefined && remove === undefined ? keyed : new EditingUpstream(keyed, { set, remove });
  const read = thinkTags === true ? new ThinkTagsUpstream(edited) : edited;
  const refused = refusals.ofUpstream(id, { ...known, headers: Object.keys(headers) });
  return new RepairingUpstream(read, additions, refused);
}

function withKeys({ apiKey, furtherKeys = [], ...settings }: CompatibleSettings): Upstream {
  const [first, ...others] = [apiKey, ...furtherKeys].map((key) => createServer(settings, key));
  if (first === undefined) throw new TypeError('There is no upstream.');
  return others.length === 0 ? first : new RotatingKeys([first, ...others]);
}

function createServer(settings: Omit<CompatibleSettings, 'apiKey'>, apiKey: string | undefined): Upstream {
  const {
    id,
    baseUrl,
    formats,
    auth,
    network,
    limits,
    maxTokensPerSecond,
    headers,
    maskedTexts,
    query,
    webSocket,
    secretPolicy,
  } = settings;
  const [usual, ofMessages] = keyHeaders(auth, apiKey);
  const byEndpoint = { '/messages': ofMessages, '/messages/count_tokens': ofMessages };
  return createHttpUpstream({
    id,
    baseAddress: baseUrl,
    credentials: {
      usual,
      byEndpoint: formats.includes('messages') ? { ...byEndpoint, '/models': ofMessages } : byEndpoint,
    },
    ...defined({ apiKey, network }),
    limits,
    maxTokensPerSecond,
    headers,
    maskedTexts,
    secretPolicy,
    query,
    webSocket,
  });
}

/** Returns the headers with the key: of most requests, and of those of the messages format. */
function keyHeaders(auth: string | undefined, apiKey: string | undefined): [IncomingHttpHeaders, IncomingHttpHeaders] {
  if (apiKey === undefined || auth === 'none') return [{}, {}];
  const bearer = { authorization: `Bearer ${apiKey}` };
  // Servers of the messages format read one of the two headers.
  if (auth === undefined) return [bearer, { ...bearer, 'x-api-key': apiKey }];
  const own = auth === 'bearer' ? bearer : { [auth.toLowerCase()]: apiKey };
  return [own, own];
}
