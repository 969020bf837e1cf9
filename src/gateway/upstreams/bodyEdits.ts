import { modelName } from '../core/modelName.ts';
import { matches } from '../core/modelPattern.ts';
import type { AnswerSink, Endpoint, Upstream, UpstreamCall, UpstreamRequest } from '../core/upstream.ts';
import { WrappedUpstream } from '../core/wrappedUpstream.ts';
import { ObjectScanner } from '../http/objectScanner.ts';

/** What the operator changes in the bodies of requests, by patterns of model names. */
export interface BodyEdits {
  /** Members with their values. */
  readonly set?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
  /** Names of members. */
  readonly remove?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Sets and removes members of requests as the operator says, whoever has written them. */
export class EditingUpstream extends WrappedUpstream {
  readonly #edits: BodyEdits;

  constructor(inner: Upstream, edits: BodyEdits) {
    super(inner);
    this.#edits = edits;
  }

  /** Setting a member requires the whole body. */
  override takesBodyStream(_: Endpoint): boolean {
    return false;
  }

  override send(request: UpstreamRequest, sink: AnswerSink): UpstreamCall {
    const { body, json: _, ...rest } = request;
    const model = body && modelName(body);
    if (body === undefined || model === undefined) return this.inner.send(request, sink);
    return this.inner.send({ ...rest, body: editedBody(body, model, this.#edits) }, sink);
  }
}

/** Changes members of the outermost object, leaving all other bytes unchanged. A body that is no object stays the same. */
export function editedBody(body: Buffer, model: string, { set = {}, remove = {} }: BodyEdits): Buffer {
  const isMeant = ([pattern]: readonly [string, unknown]) => matches(pattern, model);
  const removed = new Set(
    Object.entries(remove)
      .filter(isMeant)
      .flatMap(([, names]) => names),
  );
  const values = Object.assign(
    {},
    ...Object.entries(set)
      .filter(isMeant)
      .map(([, members]) => members),
  );
  const given = new Map<string, unknown>(Object.entries(values));
  let bytes = body;
  for (const name of removed) bytes = withoutMember(bytes, name);
  for (const [name, value] of given) bytes = withMember(bytes, name, JSON.stringify(value));
  return bytes;
}

function scan(bytes: Buffer): ObjectScanner {
  const scanner = new ObjectScanner();
  scanner.push(bytes);
  return scanner;
}

export function withMember(bytes: Buffer, name: string, json: string): Buffer {
  const { closedAt, members } = scan(bytes);
  if (closedAt === undefined) return bytes;
  // Of members with the same name, servers read the last one.
  const found = members.findLast((each) => each.name === name);
  if (found !== undefined) return spliced(bytes, found.start, found.end, json);
  const comma = members.length === 0 ? '' : ',';
  return spliced(bytes, closedAt, closedAt, `${comma}${JSON.stringify(name)}:${json}`);
}

/** Removes a member, however often it occurs. */
export function withoutMember(bytes: Buffer, name: string): Buffer {
  const { closedAt, members } = scan(bytes);
  const place = members.findIndex((each) => each.name === name);
  const found = members[place];
  if (closedAt === undefined || found === undefined) return bytes;
  const before = members[place - 1];
  if (before !== undefined) return withoutMember(spliced(bytes, before.end, found.end, ''), name);
  const comma = members.length > 1 ? bytes.indexOf(',', found.end) + 1 : found.end;
  return withoutMember(spliced(bytes, bytes.indexOf('{') + 1, comma, ''), name);
}

/** Returns the bytes with a text in place of those between two positions. */
export function spliced(bytes: Buffer, start: number, end: number, text: string): Buffer {
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(text), bytes.subarray(end)]);
}
