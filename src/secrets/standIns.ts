import { createHmac, hkdfSync } from 'node:crypto';

/** Occurs in every stand-in. Consists of digits of hexadecimal numbers, and hardly ever occurs in other texts. */
export const LITERAL = '5EA1ED';

/** What a stand-in of this or another installation looks like, without its prefix. */
const SHAPE = new RegExp(`${LITERAL}[0-9A-Z]{10,50}`);
export const SHAPES = new RegExp(SHAPE, 'g');

/** The characters of the hash: all digits, and letters that are not mistaken for one. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const HEX = /^[0-9a-fA-F]+$/;
/** Lengths of hashes. The length of a secret is not told exactly. */
const LENGTHS = [50, 34, 26, 20, 14, 10] as const;
const MIN_LENGTH = 10;

/**
 * The beginning by which tools recognize a kind of secret. Shorter than what an attacker could use: 11 characters at
 * most.
 */
const PREFIX =
  /^(?:AKIA|ASIA|AIza|eyJ|sk-ant-|sk-proj-|github_pat_|(?:gh[a-z]|glpat|xox[a-z]|npm|hf|key|pypi|shpat|ntn|dop|pul|r8|rk|pk|sk|SG|xai|gsk|hvs|dapi|figd|lin_api|pplx)[-_.](?:live|test)?_?)/;

export function hasKnownPrefix(text: string): boolean {
  return PREFIX.test(text);
}

/** Whether a text contains a stand-in, so that it is not replaced with another one. */
export function containsStandIn(text: string): boolean {
  return text.includes(LITERAL) && SHAPE.test(text);
}

/**
 * Makes stand-ins for secrets: for the same secret the same one, as long as the key is the same. They consist of
 * letters, digits, `-`, `_`, and `.`, which need no escape in JSON, shells, YAML, and URLs.
 */
export class StandIns {
  readonly #key: Uint8Array;

  /** @param key a secret of this installation. */
  constructor(key: Uint8Array) {
    this.#key = new Uint8Array(hkdfSync('sha256', key, '', 'model-access stand-ins', 32));
  }

  of(secret: string): string {
    const prefix = PREFIX.exec(secret)?.[0] ?? '';
    const room = secret.length - prefix.length - LITERAL.length;
    const length = LENGTHS.find((each) => each <= room) ?? MIN_LENGTH;
    const digits = HEX.test(secret) ? 16 : DIGITS.length;
    const hash = createHmac('sha512', this.#key).update(secret).digest();
    return prefix + LITERAL + [...hash.subarray(0, length)].map((byte) => DIGITS[byte % digits]).join('');
  }
}
