/** Versions of the messages format. A request names its version in a header. */
import type { ChatRequest } from '../conversation.ts';
import { asDropped, namesWhere } from '../dropped.ts';
import { isRecord, type JsonRecord } from '../json.ts';

/** The version of a request that names none, as in the service's reference request. */
export const DEFAULT_VERSION = '2023-06-01';
export const NEWEST_VERSION = '2026-10-21';
/** Versions that accept what {@link NEWEST_VERSION} refuses. */
const EARLIER_VERSIONS: ReadonlySet<string> = new Set(['2023-01-01', DEFAULT_VERSION]);
const VERSION_HEADER = 'anthropic-version';
/** The name in the service's specification. */
const NEUTRAL_HEADER = 'vendorb-version';
/** Removed in the newest version. */
const SAMPLING_PARAMETERS = ['temperature', 'top_p', 'top_k'] as const;

/** Headers whose names are in lower case. */
type VersionHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export function namedVersion(headers: VersionHeaders): string | undefined {
  const value = headers[VERSION_HEADER] ?? headers[NEUTRAL_HEADER];
  return value === undefined ? undefined : String(value);
}

export function isKnownVersion(version: string): boolean {
  return version === NEWEST_VERSION || EARLIER_VERSIONS.has(version);
}

/**
 * Returns the request as it is meant in the version that its headers name. Members that the version does not have are dropped and named. An
 * unknown version is read as the newest one, and its header is named.
 */
export function inVersion(request: ChatRequest, headers: VersionHeaders): ChatRequest {
  const version = String(headers[VERSION_HEADER] ?? headers[NEUTRAL_HEADER] ?? DEFAULT_VERSION);
  if (EARLIER_VERSIONS.has(version)) return request;
  const { temperature, topP, topK, dropped = [], ...rest } = request;
  const removed = namesWhere({
    temperature: temperature !== undefined,
    top_p: topP !== undefined,
    top_k: topK !== undefined,
    [VERSION_HEADER]: !isKnownVersion(version),
  });
  return { ...rest, ...asDropped([...dropped, ...removed]) };
}

/** What a version refuses in the body of a request. */
export interface RefusedMember {
  /** Such as `messages.0.content.1`. */
  readonly path: string;
  readonly problem: string;
}

/** Returns the first member of a body that this version refuses, for messages and for token counts. */
export function refusedMember(body: unknown, version = DEFAULT_VERSION): RefusedMember | undefined {
  if (EARLIER_VERSIONS.has(version) || !isRecord(body)) return undefined;
  const sampling = SAMPLING_PARAMETERS.find((name) => name in body);
  if (sampling !== undefined) return { path: sampling, problem: 'Extra inputs are not permitted' };
  return recordsIn(body.messages, 'messages')
    .map(([message, path]) => refusedContent(message, path))
    .find(Boolean);
}

function refusedContent({ role, content }: JsonRecord, path: string): RefusedMember | undefined {
  return recordsIn(content, `${path}.content`)
    .map(([block, place]) => (role === 'assistant' ? refusedOfAssistant(block, place) : refusedOfUser(block, place)))
    .find(Boolean);
}

/** Only a document directly in the message is refused, not one within another block. */
function refusedOfAssistant({ type }: JsonRecord, path: string): RefusedMember | undefined {
  if (type !== 'document') return undefined;
  return {
    path,
    problem: 'A document is not permitted in a message of the assistant. Send it in a message of the user.',
  };
}

function refusedOfUser(block: JsonRecord, path: string): RefusedMember | undefined {
  const inner = block.type === 'search_result' ? recordsIn(block.content, `${path}.content`) : [];
  const cited = [[block, path] as const, ...inner].find(
    ([{ type, citations }]) => type === 'text' && isFilled(citations),
  );
  return cited && { path: `${cited[1]}.citations`, problem: 'Citations are not permitted in a message of the user.' };
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

/** Returns the objects in a list, each with its path. */
function recordsIn(list: unknown, path: string): (readonly [JsonRecord, string])[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((each: unknown, at) => (isRecord(each) ? [[each, `${path}.${at}`] as const] : []));
}
