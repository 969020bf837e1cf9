/** Takes out of a text whatever looks like a secret, before the text reaches a log, a record or a person. */

const TOKEN = '[\\w.~+/=%-]';

/**
 * Each pattern with its replacement. A `key_` inside a longer word counts only when what follows is long, so that
 * names such as `api_key_invalid` stay readable.
 */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    new RegExp(`\\b(bearer|basic)(\\s+|%20)(?!(?:token|auth\\w*|scheme|key|prefix|header)\\b)${TOKEN}{3,}`, 'gi'),
    '$1 …',
  ],
  [new RegExp(`\\bkey_${TOKEN}+|key_${TOKEN}{16,}`, 'g'), 'key_…'],
  [
    /\b((?:x-)?(?:api|goog-api|auth|access|secret)[-_]?(?:key|token)|authorization)(["']?\s*[:=]\s*["']?)(?!bearer\b|basic\b|key_…)[^\s"',;&…]{3,}/gi,
    '$1$2…',
  ],
  [/\b(sk|xai|gsk|hf|ghp|github_pat)([-_])[\w-]{8,}/g, '$1$2…'],
  [/\b(https?:\/\/)[^\s/@]+@/gi, '$1…@'],
];

/** What every one of {@link SECRETS} has in it. Most texts have none of these, and one look costs less than five. */
const HINT = /key|token|bearer|basic|authorization|(?:sk|xai|gsk|hf|ghp|github_pat)[-_]|@/i;

/** @returns the text with `…` in the place of every key, token and password in an address. */
export function redact(text: string): string {
  if (!HINT.test(text)) return text;
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}
