import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { FORM_ENDPOINTS, FORM_OR_JSON, isForm } from '../core/passedEndpoint.ts';
import * as refusals from '../core/refusal.ts';
import { METHOD_OF_ENDPOINT, type RequestPath } from '../core/route.ts';
import type { IssuedKey } from '../keys/issuedKey.ts';
import { type Admission, KeyRing, type KeySource } from '../keys/keyRing.ts';
import { Callers } from './callers.ts';
import { OriginList } from './origins.ts';

export interface AccessRules {
  readonly localKeys: readonly IssuedKey[];
  /** Keys that are stored elsewhere, such as in a database. Asked only if none of the `localKeys` matches. */
  readonly keySource?: KeySource;
  /** Origins of web pages that may call the gateway, such as `http://localhost:3000`. None by default. */
  readonly allowedOrigins?: readonly string[];
  /** Host names, in addition to the loopback names, under which clients may reach the gateway. None by default. */
  readonly allowedHosts?: readonly string[];
  /** Addresses and ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted. None by default. */
  readonly trustedProxies?: readonly string[];
  /** Called once, with a message for the user, when a trusted proxy forwards a request that it received unencrypted. */
  readonly onPlainCaller?: (message: string) => void;
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
/** In another encoding, the same bytes can be another request for the upstream, such as one with another model. */
const OTHER_CHARSET = /;\s*charset\s*=(?!\s*"?(?:utf-?8|us-ascii)"?\s*(?:;|$))/i;

/** Names under which clients on this machine reach the gateway. */
const LOOPBACK_NAMES: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

const HOST = /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(?::\d{1,5})?$/i;

/** Decides who may send requests, from the request line and the headers alone, before any other work. */
export class Access {
  /** Those of web pages that may call the gateway. */
  origins: OriginList;
  readonly #hosts: HostList;
  readonly #keys: KeyRing;
  readonly #source: KeySource | undefined;
  readonly callers: Callers;

  /** @param onClose called with the IDs of keys that are no longer valid. Their running exchanges must be ended. */
  constructor(rules: AccessRules, onClose: (ids: ReadonlySet<string>) => void) {
    this.origins = new OriginList(rules.allowedOrigins ?? []);
    this.#hosts = new HostList(rules.allowedHosts ?? []);
    this.callers = new Callers(rules.trustedProxies ?? [], rules.onPlainCaller ?? (() => undefined));
    this.#keys = new KeyRing(rules.localKeys, { onClose });
    this.#source = rules.keySource;
    this.#source?.watch(onClose);
  }

  setLocalKeys(keys: readonly IssuedKey[]): void {
    this.#keys.set(keys);
  }

  /** Stops the timers of expiring keys. */
  dispose(): void {
    this.#keys.dispose();
  }

  /** Checks the `Host` and `Origin` headers. A health probe has to pass no other check. */
  checkSource(request: IncomingMessage, isProbe: boolean): refusals.Refusal | undefined {
    const { headers, rawHeaders } = request;
    if (countOf('host', rawHeaders) > 1) return refusals.TWO_HOSTS;
    const isKnown = isProbe ? this.#hosts.allowsProbe(headers.host) : this.#hosts.allows(headers.host);
    if (!isKnown) return this.#hosts.hasFurtherNames ? refusals.UNLISTED_HOST : refusals.FOREIGN_HOST;
    const isFromPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
    if (isFromPage && !this.origins.allows(headers)) return refusals.FOREIGN_ORIGIN;
    if (!isProbe && headers['x-forwarded-proto'] !== undefined) this.callers.checkScheme(request);
    return undefined;
  }

  checkKey(headers: IncomingHttpHeaders): Admission | Promise<Admission> {
    const admission = this.#keys.identify(headers);
    return admission.ok || this.#source === undefined ? admission : this.#source.identify(headers);
  }

  checkForm(request: IncomingMessage, route: RequestPath): refusals.Refusal | undefined {
    const { method } = request;
    if (route.kind !== 'endpoint') {
      return refusals.unknownPath(Object.keys(METHOD_OF_ENDPOINT), this.#baseAddress(request));
    }
    const allowed = METHOD_OF_ENDPOINT[route.endpoint];
    if (method !== allowed) return refusals.wrongMethod(route.endpoint, allowed);
    if (method !== 'POST') return undefined;
    const { endpoint } = route;
    const mayBeJson = !FORM_ENDPOINTS.has(endpoint) || (FORM_OR_JSON.has(endpoint) && !isForm(request.headers));
    return mayBeJson ? checkType(request) : checkForm(request);
  }

  /** The base address in the form in which the caller reaches it. */
  #baseAddress(request: IncomingMessage): string {
    return `${this.callers.schemeOf(request)}://${request.headers.host}/api/v1`;
  }
}

function checkType({
  headers: { 'content-type': type = '' },
  rawHeaders,
}: IncomingMessage): refusals.Refusal | undefined {
  if (!JSON_TYPE.test(type)) return refusals.NOT_JSON;
  if (type.length > PLAIN_TYPE_LENGTH && OTHER_CHARSET.test(type)) return refusals.NOT_UTF8;
  // All of them would be forwarded, and the upstream may use the last.
  return countOf('content-type', rawHeaders) > 1 ? refusals.NOT_JSON : undefined;
}

function checkForm({ headers, rawHeaders }: IncomingMessage): refusals.Refusal | undefined {
  return isForm(headers) && countOf('content-type', rawHeaders) === 1 ? undefined : refusals.NO_FORM;
}

const PLAIN_TYPE_LENGTH = 'application/json'.length;

/** Counts a header's occurrences. For some headers, Node.js keeps only the first and drops the others. */
function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const written = rawHeaders[at];
    if (written?.length === name.length && written.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Names that the Host header may contain. A web page whose host name was made to resolve to 127.0.0.1 (DNS rebinding)
 * still sends that name, so it is refused. The port is not checked, because port forwarding changes it.
 */
class HostList {
  readonly #names: ReadonlySet<string>;

  constructor(furtherNames: readonly string[]) {
    this.#names = new Set([...LOOPBACK_NAMES, ...furtherNames.map((name) => name.toLowerCase())]);
  }

  get hasFurtherNames(): boolean {
    return this.#names.size > LOOPBACK_NAMES.length;
  }

  allows(host: string | undefined): boolean {
    const name = nameIn(host);
    return name !== undefined && this.#names.has(name);
  }

  /**
   * Also allows IP addresses and a missing Host header, because a load balancer probes an address, or sends no Host
   * header at all (HTTP/1.0). Neither can come from a page that uses DNS rebinding.
   */
  allowsProbe(host: string | undefined): boolean {
    const name = nameIn(host);
    return host === undefined || (name !== undefined && (isAddress(name) || this.#names.has(name)));
  }
}

function nameIn(host: string | undefined): string | undefined {
  return host === undefined ? undefined : HOST.exec(host)?.[1]?.toLowerCase();
}

function isAddress(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0;
}
