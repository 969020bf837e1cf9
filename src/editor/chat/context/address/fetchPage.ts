import * as l10n from '@vscode/l10n';
import { errorText } from '../../../../display/errorText.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;

const ACCEPTED = 'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/json;q=0.8';
const TEXT_TYPES = /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript|toml)$/;

export interface Page {
  /** The final address, after redirects. */
  readonly url: URL;
  /** A MIME type such as `text/html`. */
  readonly mediaType: string;
  readonly text: string;
}

export interface PageOptions {
  readonly signal: AbortSignal;
  /** Whether to follow a redirect to another host or port. */
  readonly follows: (to: URL, from: URL) => Promise<boolean>;
  readonly timeoutMs?: number;
}

/**
 * Requests a page with the editor's `fetch`, which uses its proxy, without cookies and credentials.
 * @returns undefined if it was canceled, or the user declined a redirect.
 * @throws with the reason if the page could not be loaded within the limits of time and size, or is not text.
 */
export async function fetchPage(first: URL, options: PageOptions): Promise<Page | undefined> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const found = await request(url, options);
    if (!(found instanceof URL)) return found;
    if (found.host !== url.host && !(await options.follows(found, url))) return undefined;
    url = found;
  }
  throw new Error(l10n.t('{0} redirects too often.', first.host));
}

/** An error that the page itself causes. */
class PageError extends Error {}

/** Returns the page, or the address that it redirects to; undefined if the request was canceled. */
async function request(url: URL, { signal, timeoutMs = TIMEOUT_MS }: PageOptions): Promise<Page | URL | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(url, {
      redirect: 'manual',
      credentials: 'omit',
      headers: { accept: ACCEPTED },
      signal: AbortSignal.any([signal, timeout]),
    });
    const target = redirectOf(response, url);
    if (target === undefined) return await readPage(response, url);
    await response.body?.cancel();
    return target;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (timeout.aborted) throw new Error(l10n.t('{0} did not answer in time.', url.host));
    if (error instanceof PageError) throw error;
    const reason = error instanceof Error && error.cause !== undefined ? errorText(error.cause) : errorText(error);
    throw new Error(l10n.t('Could not reach {0}: {1}', url.host, reason));
  }
}

function redirectOf({ status, headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null) return undefined;
  const target = URL.parse(location, from);
  if (target === null || !/^https?:$/.test(target.protocol) || target.username !== '') {
    throw new PageError(l10n.t('{0} redirects to an address that cannot be read.', from.host));
  }
  return target;
}

async function readPage(response: Response, url: URL): Promise<Page> {
  const type = response.headers.get('content-type') ?? 'text/plain';
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const problem = problemOf(response, url, mediaType);
  if (problem !== undefined) {
    await response.body?.cancel();
    throw new PageError(problem);
  }
  return { url, mediaType, text: decoderOf(type).decode(await bytesOf(response, url)) };
}

function problemOf({ ok, status, statusText }: Response, { host }: URL, mediaType: string): string | undefined {
  if (!ok) return l10n.t('{0} answered with {1}.', host, `${status} ${statusText}`.trim());
  if (!TEXT_TYPES.test(mediaType)) return l10n.t('{0} is not a page of text ({1}).', host, mediaType);
  return undefined;
}

async function bytesOf({ body }: Response, { host }: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      throw new PageError(l10n.t('The page of {0} is larger than {1} MB.', host, MAX_BYTES / 1024 / 1024));
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Uses the page's character set if the platform supports it, otherwise UTF-8. */
function decoderOf(contentType: string): TextDecoder {
  const charset = /charset="?([^\s;"]+)/i.exec(contentType)?.[1];
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
