import { KINDS_HEADER, SEALED_HEADER } from '../rules/sealedHeaders.ts';
import type { BodySealer, SealedBody } from './bodySealer.ts';
import { openerFor } from './openedAnswer.ts';
import type { KnownSecret } from './secretTable.ts';

export interface SealedFetchOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly sealer: BodySealer;
  /** Values that are secrets wherever they are. */
  readonly known: readonly KnownSecret[];
  /** `report` only finds them. */
  readonly policy: 'report' | 'seal' | 'refuse';
  /** Called with the texts that were replaced, before the request is sent. */
  readonly onSealed: (texts: Iterable<string>) => void;
  /** Describes a request that is refused, for the user. */
  readonly refusal: (kinds: readonly string[]) => string;
}

/** Sends a request without its secrets, and restores them in the answer. */
export async function sealedFetch(
  input: Parameters<typeof globalThis.fetch>[0],
  init: RequestInit,
  { fetch, sealer, known, policy, refusal, onSealed }: SealedFetchOptions,
): Promise<Response> {
  const { body } = init;
  const sealed = typeof body === 'string' ? await sealer.seal(Buffer.from(body), known) : undefined;
  if (sealed === undefined || sealed.count === 0) return fetch(input, init);
  if (policy === 'refuse') return refused(refusal(sealed.kinds));
  if (policy === 'report') return noted(await fetch(input, init), { [KINDS_HEADER]: sealed.kinds.join() });
  onSealed(sealed.table.texts.values());
  const answer = await fetch(input, { ...init, body: sealed.body.toString() });
  const notes = { [KINDS_HEADER]: sealed.kinds.join(), [SEALED_HEADER]: String(sealed.count) };
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

function opened(answer: Response, { table, isStructured }: SealedBody): Response {
  const contentType = answer.headers.get('content-type') ?? '';
  const opener = openerFor(table, { contentType, isStructured });
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
