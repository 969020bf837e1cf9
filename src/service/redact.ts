/** Removes everything that looks like a secret from a text before it is logged, recorded, or shown. */

const TOKEN = '[\\w.~+/=%-]';

/**
 * Patterns and their replacements. A `key_` inside a longer word only matches if a long text follows, so that names
 * such as `api_key_invalid` stay readable.
 */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    new RegExp(`\\b(bearer|basic)(\\s+|%20)(?!(?:token|auth\\w*|scheme|key|prefix|header)\\b)${TOKEN}{3,}`, 'gi'),
    '$1 …',
  ],
  [new RegExp(`\\bkey_${TOKEN}+|key_${TOKEN}{16,}`, 'g'), 'key_…'],
  // The same with the underscore escaped as in JSON, URLs, or HTML.
  [new RegExp(`\\bkey(?:%5f|\\\\+u005f|&(?:#(?:95|x5f)|lowbar|UnderBar);)${TOKEN}+`, 'gi'), 'key_…'],
  [
    /\b((?:x-)?(?:api|goog-api|auth|access|secret)[-_]?(?:key|token)|authorization)(["']?\s*[:=]\s*["']?)(?!bearer\b|basic\b|key_…)[^\s"',;&…]{3,}/gi,
    '$1$2…',
  ],
  [/\b(sk|xai|gsk|hf|ghp|github_pat)([-_])[\w-]{8,4096}/g, '$1$2…'],
  [/\b(https?:\/\/)[^\s/@]+@/gi, '$1…@'],
];

/** Matches a part of each of the {@link SECRETS}. Most texts contain none, and one test is cheaper than five. */
const HINT = /key|token|bearer|basic|authorization|(?:sk|xai|gsk|hf|ghp|github_pat)[-_]|@/i;

/** @returns the text with `…` instead of each key, token, and password in a URL. */
export function redact(text: string): string {
  if (!HINT.test(text)) return text;
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}
