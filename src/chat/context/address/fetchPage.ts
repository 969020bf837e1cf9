import type { lookup } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import * as l10n from '@vscode/l10n';
import { errorText } from '../../../display/errors.ts';
import { decoded, LocalAddressError, requestPage } from './pageRequest.ts';

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;

const TEXT_TYPES = /^text\/|^application\/(?:.+\+)?(?:json|xml|yaml|javascript|toml)$/;

export interface Page {
  /** The final address, after redirects. */
  readonly url: URL;
  /** A MIME type such as `text/html`. */
  readonly mediaType: string;
  readonly text: string;
}

export interface FetchOptions {
  readonly signal: AbortSignal;
  /** Whether to follow a redirect to another host or port. */
  readonly follows: (to: URL, from: URL) => Promise<boolean>;
  /** Whether to connect to a public name that resolves to this address of this machine or of a local network. */
  readonly reaches: (url: URL, address: string) => Promise<boolean>;
  readonly timeoutMs?: number;
  /** Replaces the platform's resolver in tests. */
  readonly resolve?: typeof lookup;
}

/**
 * Requests a page with the editor's proxy settings, without cookies and credentials.
 * @returns undefined if it was canceled, or the user declined a redirect or a local address.
 * @throws with the reason if the page could not be loaded within the limits of time and size, or is not text.
 */
export async function fetchPage(first: URL, options: FetchOptions): Promise<Page | undefined> {
  let url = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const found = await requestAgreed(url, options);
    if (!(found instanceof URL)) return found;
    if (found.host !== url.host && !(await options.follows(found, url))) return undefined;
    url = found;
  }
  throw new Error(l10n.t('{0} redirects too many times.', first.host));
}

/** An error that the page itself causes. */
class PageError extends Error {}

/** Requests a page again once its local address was allowed. A name can have several, and change them. */
async function requestAgreed(url: URL, options: FetchOptions): Promise<Page | URL | undefined> {
  const allowed = new Set<string>();
  for (;;) {
    try {
      return await request(url, allowed, options);
    } catch (error) {
      if (!(error instanceof LocalAddressError)) throw error;
      if (!(await options.reaches(url, error.address))) return undefined;
      allowed.add(error.address);
    }
  }
}

/** Returns the page, or the address that it redirects to; undefined if the request was canceled. */
async function request(
  url: URL,
  allowed: ReadonlySet<string>,
  { signal, timeoutMs = TIMEOUT_MS, resolve }: FetchOptions,
): Promise<Page | URL | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, timeout]);
  try {
    const response = await requestPage(url, { signal: either, allowed, ...(resolve && { resolve }) });
    const target = redirectOf(response, url);
    if (target === undefined) return await readPage(response, url);
    response.destroy();
    return target;
  } catch (error) {
    if (signal.aborted) return undefined;
    if (timeout.aborted) throw new Error(l10n.t('{0} did not respond in time.', url.host));
    if (error instanceof PageError || error instanceof LocalAddressError) throw error;
    throw new Error(l10n.t('Could not reach {0}: {1}', url.host, errorText(error)));
  }
}

function redirectOf({ statusCode: status = 0, headers: { location } }: IncomingMessage, from: URL): URL | undefined {
  if (status < 300 || status > 399 || location === undefined) return undefined;
  const target = URL.parse(location, from);
  if (target === null || !/^https?:$/.test(target.protocol) || target.username !== '') {
    throw new PageError(l10n.t('{0} redirects to an invalid address.', from.host));
  }
  return target;
}

async function readPage(response: IncomingMessage, url: URL): Promise<Page> {
  const type = response.headers['content-type'] ?? 'text/plain';
  const mediaType = type.split(';')[0]?.trim().toLowerCase() ?? '';
  const problem = problemOf(response, url, mediaType);
  if (problem !== undefined) {
    response.destroy();
    throw new PageError(problem);
  }
  return { url, mediaType, text: decoderOf(type).decode(await bytesOf(response, url)) };
}

function problemOf({ statusCode = 0, statusMessage }: IncomingMessage, { host }: URL, mediaType: string) {
  const isOk = statusCode >= 200 && statusCode <= 299;
  if (!isOk) return l10n.t('{0} returned {1}.', host, `${statusCode} ${statusMessage}`.trim());
  if (!TEXT_TYPES.test(mediaType)) return l10n.t('{0} is not a text page ({1}).', host, mediaType);
  return undefined;
}

async function bytesOf(response: IncomingMessage, { host }: URL): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of decoded(response)) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      throw new PageError(l10n.t('The page at {0} is larger than {1} MB.', host, MAX_BYTES / 1024 / 1024));
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
