import type { OutgoingHttpHeaders } from 'node:http';

/** Shorter ones are no secrets: servers on one's own machine take words such as `none`, which also stand in texts. */
const SHORTEST_SECRET = 12;

/**
 * Takes the key for an upstream out of what that upstream says: services quote the key that they refuse, in errors and
 * now and then in events. Where nothing is found, everything stays the very bytes that came.
 */
export class KeyMask {
  readonly #key: string;
  readonly #bytes: Buffer;
  /** In ASCII, since it stands in headers too. */
  readonly #mask: string;

  private constructor(key: string) {
    this.#key = key;
    this.#bytes = Buffer.from(key);
    this.#mask = `key_...${key.slice(-4)}`;
  }

  /** `undefined` where there is no secret to keep. */
  static of(key: string | undefined): KeyMask | undefined {
    return key === undefined || key.length < SHORTEST_SECRET ? undefined : new KeyMask(key);
  }

  headers(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
    if (!Object.values(headers).some((value) => String(value).includes(this.#key))) return headers;
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, this.#value(value)]));
  }

  /** The whole of a body. */
  body(bytes: Buffer): Buffer {
    return bytes.includes(this.#bytes) ? Buffer.from(bytes.toString().replaceAll(this.#key, this.#mask)) : bytes;
  }

  /** For a body that comes in pieces. */
  stream(): MaskedStream {
    return new MaskedStream(this.#bytes, this.#mask);
  }

  #value(value: OutgoingHttpHeaders[string]): OutgoingHttpHeaders[string] {
    if (Array.isArray(value)) return value.map((item) => item.replaceAll(this.#key, this.#mask));
    return typeof value === 'string' ? value.replaceAll(this.#key, this.#mask) : value;
  }
}

/**
 * A body on its way through. It keeps its length, which may have been announced. The machine's own search for a key takes
 * some 4 µs for 44 KB, so all of every body is searched.
 */
export class MaskedStream {
  readonly #key: Buffer;
  readonly #mask: Buffer;
  /** The last bytes, where they could be the beginning of a key. */
  #held: Buffer | undefined;
  #hasFound = false;

  constructor(key: Buffer, mask: string) {
    this.#key = key;
    this.#mask = Buffer.from(mask.padStart(key.length, '.').slice(-key.length));
  }

  /** Whether there was a key in what came so far. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Whether what came so far ends with the beginning of a key. */
  get isHolding(): boolean {
    return this.#held !== undefined;
  }

  /** What may go on; perhaps nothing yet. */
  push(chunk: Buffer): Buffer {
    const bytes = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk]);
    const masked = bytes.includes(this.#key) ? this.#masked(bytes) : bytes;
    const end = this.#beginningOfKey(masked);
    this.#held = end === -1 ? undefined : masked.subarray(end);
    return end === -1 ? masked : masked.subarray(0, end);
  }

  /** What was held back. When nothing but the last characters of a key is missing, it counts as one. */
  end(): Buffer | undefined {
    const held = this.#held;
    this.#held = undefined;
    if (held === undefined || held.length <= this.#key.length / 2) return held;
    this.#hasFound = true;
    return this.#mask.subarray(0, held.length);
  }

  #masked(bytes: Buffer): Buffer {
    this.#hasFound = true;
    const copy = Buffer.from(bytes);
    for (let at = copy.indexOf(this.#key); at !== -1; at = copy.indexOf(this.#key, at)) this.#mask.copy(copy, at);
    return copy;
  }

  /** Where the bytes end with the beginning of a key; -1 when they do not. */
  #beginningOfKey(bytes: Buffer): number {
    const first = this.#key[0];
    for (let at = Math.max(0, bytes.length - this.#key.length + 1); at < bytes.length; at += 1) {
      if (bytes[at] === first && bytes.subarray(at).equals(this.#key.subarray(0, bytes.length - at))) return at;
    }
    return -1;
  }
}
