import { KINDS_HEADER, SEALED_HEADER } from '../rules/sealedHeaders.ts';
import { openerFor } from './openedAnswer.ts';
import { kindsOf, type SealAnswer } from './sealAnswer.ts';
import { StandInTable } from './standInTable.ts';

export interface SealedFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly seal: (body: Buffer) => Promise<SealAnswer | undefined>;
  /** `report` only finds them. */
  readonly policy: 'report' | 'seal' | 'refuse';
  /** Called with the texts that were replaced, before the request is sent. */
  readonly onSealed: (texts: Iterable<string>) => void;
  /**
   * Describes a request that is refused, for the user.
   * @param kinds of its secrets; undefined if it could not be searched.
   */
  readonly refusal: (kinds: readonly string[] | undefined) => string;
}

/** Sends a request without its secrets, and restores them in the answer. */
export async function sealedFetch(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit,
  { fetch, seal, policy, refusal, onSealed }: SealedFetchOptions,
): Promise<Response> {
  if (typeof init.body !== 'string') return fetch(input, init);
  const sealed = await seal(Buffer.from(init.body));
  if (sealed === undefined) return policy === 'report' ? fetch(input, init) : refused(refusal(undefined));
  const { secrets, texts, body } = sealed;
  const kinds = kindsOf(secrets);
  if (body === undefined) return fetch(input, init);
  if (policy === 'refuse') return refused(refusal(kinds));
  if (policy === 'report') return noted(await fetch(input, init), { [KINDS_HEADER]: kinds.join() });
  onSealed(texts.map(([, text]) => text));
  const answer = await fetch(input, { ...init, body: Buffer.from(body.buffer).toString() });
  const notes = { [KINDS_HEADER]: kinds.join(), [SEALED_HEADER]: String(secrets.length) };
  return answer.ok ? noted(opened(answer, sealed), notes) : answer;
}

function refused(message: string): Response {
  const headers = { 'content-type': 'application/json' };
  return new Response(JSON.stringify({ error: { message, type: 'permission_error' } }), { status: 403, headers });
}

function noted(answer: Response, notes: Readonly<Record<string, string>>): Response {
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(notes)) headers.set(name, value);
  const { status, statusText } = answer;
  return new Response(answer.body, { status, statusText, headers });
}

function opened(answer: Response, { texts, isStructured }: SealAnswer): Response {
  const contentType = answer.headers.get('content-type') ?? '';
  const opener = openerFor(new StandInTable(texts), { contentType, isStructured });
  if (opener === undefined || answer.body === null) return answer;
  const transform = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const bytes = opener.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
      if (bytes.length > 0) controller.enqueue(bytes);
    },
    flush(controller) {
      const rest = opener.end();
      if (rest.length > 0) controller.enqueue(rest);
    },
  });
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  const { status, statusText } = answer;
  return new Response(answer.body.pipeThrough(transform), { status, statusText, headers });
}
