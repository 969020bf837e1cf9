/** Decodes single ASCII characters that JSON, HTML, or a URL encodes, one level at a time. */

const [BACKSLASH, PERCENT, AMPERSAND, HASH, SEMICOLON, SMALL_U, SMALL_X, ZERO] = [
  0x5c, 0x25, 0x26, 0x23, 0x3b, 0x75, 0x78, 0x30,
] as const;
const ESCAPABLE: ReadonlySet<number | undefined> = new Set([0x22, 0x2f, BACKSLASH]);
/** Digits of the longest number in an entity, with leading zeros. */
const MAX_DIGITS = 7;

/** HTML's names of ASCII characters other than letters and digits, each after the character that it stands for. */
const NAMES =
  '\tTab \nNewLine !excl "quot "QUOT #num $dollar %percnt &amp &AMP \'apos (lpar )rpar *ast *midast +plus ,comma ' +
  '.period /sol :colon ;semi <lt <LT =equals >gt >GT ?quest @commat [lsqb [lbrack \\bsol ]rsqb ]rbrack ^Hat _lowbar ' +
  '_UnderBar `grave `DiacriticalGrave {lcub {lbrace |verbar |vert |VerticalLine }rcub }rbrace';
const CODES = new Map(NAMES.split(' ').map((text) => [text.slice(1), text.charCodeAt(0)] as const));
const MAX_NAME_LENGTH = 'DiacriticalGrave'.length;
/** Browsers accept these names without the semicolon, too. */
const WITHOUT_SEMICOLON = /^(?:amp|AMP|lt|LT|gt|GT|quot|QUOT)/;

export const HTML_NAMES: Iterable<readonly [name: string, code: number]> = CODES;

export interface DecodedBytes {
  readonly bytes: Buffer;
  /** Pairs of a position after a decoded character and where that was before, in order. `undefined` if there are none. */
  readonly places?: readonly number[];
  /** What they were decoded from. */
  readonly source?: DecodedBytes;
}

/** Returns where a position of decoded bytes is in the original ones. */
export function originOf({ places = [], source }: DecodedBytes, at: number): number {
  let [low, high] = [0, places.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[2 * middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const [decoded = 0, before = 0] = low === 0 ? [] : places.slice(2 * low - 2, 2 * low);
  const place = before + at - decoded;
  return source === undefined ? place : originOf(source, place);
}

/** The code of a character, and how many bytes it takes. */
interface Character {
  readonly code: number;
  readonly length: number;
}

/** Decodes the escapes of JSON. Returns `undefined` if there are none. */
export function decodeJson(bytes: Buffer): DecodedBytes | undefined {
  return bytes.includes(BACKSLASH) ? decode({ bytes }, true) : undefined;
}

/** Decodes one level of JSON, HTML, and URL encoding. Returns `undefined` if there is none. */
export function decodeAll(text: DecodedBytes): DecodedBytes | undefined {
  const { bytes } = text;
  const isEncoded = bytes.includes(BACKSLASH) || bytes.includes(PERCENT) || bytes.includes(AMPERSAND);
  return isEncoded ? decode(text, false) : undefined;
}

function decode(source: DecodedBytes, isJson: boolean): DecodedBytes | undefined {
  const { bytes } = source;
  const decoded = Buffer.allocUnsafe(bytes.length);
  const places: number[] = [];
  let [length, copied] = [0, 0];
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at];
    let character: Character | undefined;
    if (byte === BACKSLASH) character = readEscape(bytes, at);
    else if (byte === PERCENT && !isJson) character = readNumber(bytes, at, 1, 16, 2);
    else if (byte === AMPERSAND && !isJson) character = readEntity(bytes, at);
    if (character === undefined) {
      at += 1;
      continue;
    }
    length += bytes.copy(decoded, length, copied, at);
    decoded[length] = character.code;
    length += 1;
    at += character.length;
    copied = at;
    places.push(length, at);
  }
  if (places.length === 0) return undefined;
  length += bytes.copy(decoded, length, copied);
  return { bytes: decoded.subarray(0, length), places, source };
}

function readEscape(bytes: Buffer, at: number): Character | undefined {
  const next = bytes[at + 1];
  if (next !== undefined && ESCAPABLE.has(next)) return { code: next, length: 2 };
  const isAscii = next === SMALL_U && bytes[at + 2] === ZERO && bytes[at + 3] === ZERO;
  return isAscii ? readNumber(bytes, at, 4, 16, 2) : undefined;
}

function readEntity(bytes: Buffer, at: number): Character | undefined {
  if (bytes[at + 1] !== HASH) return readName(bytes, at + 1);
  const isHex = ((bytes[at + 2] ?? 0) | 0x20) === SMALL_X;
  const [before, base] = isHex ? [3, 16] : [2, 10];
  let digits = 0;
  while (digits < MAX_DIGITS && digitAt(bytes, at + before + digits) < base) digits += 1;
  const number = readNumber(bytes, at, before, base, digits);
  // Browsers accept numbers without the semicolon, too.
  return number && { ...number, length: number.length + (bytes[at + number.length] === SEMICOLON ? 1 : 0) };
}

function readName(bytes: Buffer, start: number): Character | undefined {
  const first = (bytes[start] ?? 0) | 0x20;
  if (first < 0x61 || first > 0x7a) return undefined;
  const text = bytes.toString('latin1', start, start + MAX_NAME_LENGTH + 1);
  const end = text.indexOf(';');
  const code = end === -1 ? undefined : CODES.get(text.slice(0, end));
  if (code !== undefined) return { code, length: end + 2 };
  const name = WITHOUT_SEMICOLON.exec(text)?.[0];
  return name === undefined ? undefined : { code: CODES.get(name) ?? AMPERSAND, length: name.length + 1 };
}

/** Reads a number of so many digits after the first `before` bytes of an encoded character. */
function readNumber(bytes: Buffer, at: number, before: number, base: number, digits: number): Character | undefined {
  let code = 0;
  for (let place = at + before; place < at + before + digits; place += 1) {
    const digit = digitAt(bytes, place);
    if (digit >= base) return undefined;
    code = code * base + digit;
  }
  return digits > 0 && code < 0x80 ? { code, length: before + digits } : undefined;
}

/** Returns the value of a hexadecimal digit, or a value above all digits. */
function digitAt(bytes: Buffer, at: number): number {
  const byte = bytes[at] ?? 0;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.POSITIVE_INFINITY;
}
