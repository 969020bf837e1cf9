import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
// The editor applies its proxy settings and certificates to modules of these names only, without `node:`.
// biome-ignore lint/style/useNodejsImportProtocol: see above
import * as http from 'http';
// biome-ignore lint/style/useNodejsImportProtocol: see above
import * as https from 'https';
import { isLocalAddress } from './localAddress.ts';
import { isPrivate } from './webAddress.ts';

const ACCEPTED = 'text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/json;q=0.8';

/** A public name resolves to an address of this machine or of a local network, and nothing was sent there. */
export class LocalAddressError extends Error {
  readonly address: string;

  constructor(host: string, address: string) {
    super(`${host} is ${address}`);
    this.address = address;
  }
}

export interface RequestOptions {
  readonly signal: AbortSignal;
  /** The local addresses that public names may lead to. */
  readonly allowed: ReadonlySet<string>;
  /** Replaces the platform's resolver in tests. */
  readonly resolve?: typeof lookup;
}

/**
 * Sends a request without cookies and credentials. A name is resolved once, and the connection goes to an address that
 * was checked; a name that changes in between has no effect. If the editor uses a proxy, the proxy resolves the name.
 * @throws {LocalAddressError} before it connects if a public name resolves to local addresses that are not allowed.
 */
export function requestPage(url: URL, options: RequestOptions): Promise<http.IncomingMessage> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    request(url, {
      signal: options.signal,
      ...(!isPrivate(url) && { lookup: checkedLookup(options) }),
      headers: {
        accept: ACCEPTED,
        'accept-encoding': 'gzip, deflate, br',
        'accept-language': '*',
        'user-agent': 'node',
        // A connection that is kept could serve a later request whose name was not checked.
        connection: 'close',
      },
    })
      .on('response', resolve)
      .on('error', reject)
      .end();
  });
}

/** If there are several addresses, only those that need no question are tried. */
function checkedLookup({ allowed, resolve = lookup }: RequestOptions): LookupFunction {
  return (host, options, done) => {
    resolve(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, []);
      const usable = found.filter(({ address }) => !isLocalAddress(address) || allowed.has(address));
      const [first] = usable;
      if (first === undefined) return done(new LocalAddressError(host, found[0]?.address ?? ''), []);
      return options.all === true ? done(null, usable) : done(null, first.address, first.family);
    });
  };
}

/** The body as the page was written. Its compression is the site's choice, even if none was asked for. */
export function decoded(response: http.IncomingMessage): Readable {
  const decoder = decoderOf(response.headers['content-encoding']);
  if (decoder === undefined) return response;
  response.on('error', (error) => decoder.destroy(error));
  decoder.on('close', () => response.destroy());
  return response.pipe(decoder);
}

function decoderOf(encoding: string | undefined) {
  switch (encoding?.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}
