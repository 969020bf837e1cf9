/** Removes everything that looks like a secret from a text before it is logged, recorded, or shown. */

const TOKEN = '[\\w.~+/=%-]';
const VALUE = '[^\\s"\',;&…]';

/**
 * A pattern for the longest run of characters of a set. A lookahead takes it in chunks that are never given back:
 * with a plain `+`, the engine remembers each character of the run, and fails at some 16 million of them.
 */
const run = (set: string): string => `(?:(?=(?<chunk>${set}{1,4096}))\\k<chunk>)+`;

/**
 * Patterns and their replacements. A `key_` inside a longer word only matches if a long text follows, so that names
 * such as `api_key_invalid` stay readable.
 */
const SECRETS: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [
    new RegExp(
      `\\b(bearer|basic)(\\s{1,4096}|%20)(?!(?:token|auth\\w*|scheme|key|prefix|header)\\b)(?=${TOKEN}{3})${run(TOKEN)}`,
      'gi',
    ),
    '$1 …',
  ],
  [new RegExp(`(?:\\bkey_|key_(?=${TOKEN}{16}))${run(TOKEN)}`, 'g'), 'key_…'],
  // The same with the underscore escaped as in JSON, URLs, or HTML.
  [new RegExp(`\\bkey(?:%5f|\\\\{1,64}u005f|&(?:#(?:95|x5f)|lowbar|UnderBar);)${run(TOKEN)}`, 'gi'), 'key_…'],
  [
    new RegExp(
      `\\b((?:x-)?(?:api|goog-api|auth|access|secret)[-_]?(?:key|token)|authorization)(["']?\\s{0,4096}[:=]\\s{0,4096}["']?)` +
        `(?!bearer\\b|basic\\b|key_…)(?=${VALUE}{3})${run(VALUE)}`,
      'gi',
    ),
    '$1$2…',
  ],
  [/\b(sk|xai|gsk|hf|ghp|github_pat)([-_])[\w-]{8,4096}/g, '$1$2…'],
  [new RegExp(`\\b(https?://)${run('[^\\s/@]')}@`, 'gi'), '$1…@'],
];

/** Matches a part of each of the {@link SECRETS}. Most texts contain none, and one test is cheaper than five. */
const HINT = /key|token|bearer|basic|authorization|(?:sk|xai|gsk|hf|ghp|github_pat)[-_]|@/i;

/** Longer than the names in code that begin alike. */
const WHOLE_KEY = new RegExp(`\\bkey_(?=[\\w-]{20})${run('[\\w-]')}`, 'g');

/** @returns the text with `…` instead of each key, token, and password in a URL. */
export function redact(text: string): string {
  if (!HINT.test(text)) return text;
  return SECRETS.reduce((rest, [pattern, replacement]) => rest.replaceAll(pattern, replacement), text);
}

/**
 * Like {@link redact}, but only for keys of the service and of the local gateway, so that code and the output of programs
 * stay as they are otherwise.
 */
export function redactKeys(text: string): string {
  return text.replaceAll(WHOLE_KEY, 'key_…');
}
