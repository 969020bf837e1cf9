/** What a person pastes as a key: what surrounds it is removed, and what is no key is explained. */
import * as l10n from '@vscode/l10n';
import { ApiKey, PREFIX } from './apiKey.ts';

/** A key with fewer characters after the prefix is incomplete. The service documents no length. */
const MIN_SECRET_LENGTH = 4;
/** Longer texts are pages or files that were pasted by mistake. */
const MAX_PASTE_LENGTH = 2000;

export type ParsedKey =
  | { readonly ok: true; readonly key: ApiKey }
  /** Says in one or two sentences what is wrong with the text and what to do. It never repeats the text. */
  | { readonly ok: false; readonly problem: string };

/** Parses pasted text: removes quotes, `Bearer `, `NAME=`, and similar, and explains why it cannot use a text. */
export function parseKey(pasted: string): ParsedKey {
  const isLong = pasted.length > MAX_PASTE_LENGTH;
  const text = isLong ? '' : clean(pasted);
  const problem = isLong ? withHint(l10n.t('This text is too long for a key.')) : problemOf(text);
  return problem === undefined ? { ok: true, key: ApiKey.of(text) } : { ok: false, problem };
}

/**
 * Invisible characters that are copied by accident: zero-width characters, direction marks, soft hyphens, byte-order
 * marks.
 */
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const QUOTES = '"\'`\u00b4\u2018-\u201f\u00ab\u00bb';

/** Text that may surround a key. Removed repeatedly, in any order, until nothing changes. */
const AROUND: readonly RegExp[] = [
  new RegExp(`^[\\s${QUOTES}<({[]+`),
  new RegExp(`[\\s${QUOTES}>)}\\],;]+$`),
  /^(?:-H|--header)\s+/i,
  /^(?:export|set|setx|env)\s+/i,
  /^\$env:/i,
  new RegExp(`^(?!${PREFIX})[A-Za-z][\\w-]*[${QUOTES}]?\\s*[=:](?!//)\\s*`),
  /^MODEL_ACCESS_KEY\s+/,
  /^(?:bearer|token)\s+/i,
];

function clean(text: string): string {
  let cleaned = text.replaceAll(INVISIBLE, '');
  for (;;) {
    const next = AROUND.reduce((rest, pattern) => rest.replace(pattern, ''), cleaned);
    if (next === cleaned) return cleaned;
    cleaned = next;
  }
}

/** Adds where to find the key. */
function withHint(problem: string): string {
  return `${problem} ${l10n.t('Copy the key from the dashboard. It starts with “{0}”.', PREFIX)}`;
}

/** Prefixes of other services' keys, the longest first. */
const FOREIGN: readonly (readonly [beginning: RegExp, explain: () => string])[] = [
  [/^sk-ant-/, () => l10n.t('This looks like an Anthropic key.')],
  [/^sk-or-/, () => l10n.t('This looks like an OpenRouter key.')],
  [/^sk-/, () => l10n.t('This looks like a key from OpenAI or a similar service.')],
  [/^AIza/, () => l10n.t('This looks like a Google key.')],
  [/^(?:ghp|gho|ghu|ghs|github_pat)_/, () => l10n.t('This looks like a GitHub token.')],
  [/^hf_/, () => l10n.t('This looks like a Hugging Face token.')],
  [/^gsk_/, () => l10n.t('This looks like a Groq key.')],
  [/^xai-/, () => l10n.t('This looks like an xAI key.')],
  [/^AKIA/, () => l10n.t('This looks like an AWS key.')],
  [/^eyJ/, () => l10n.t('This looks like a sign-in token.')],
  [/^https?:\/\//i, () => l10n.t('This looks like a web address.')],
];

function problemOf(text: string): string | undefined {
  if (text === '' || /^(?:bearer|authorization|x-api-key|model_access_key)$/i.test(text)) {
    return withHint(l10n.t('There is no key in this text.'));
  }
  if (/…|\*{2,}|\.{3}|•|●/.test(text)) {
    return l10n.t(
      'This is a masked copy: part of the key is hidden. Show the key in the dashboard and copy all of it.',
    );
  }
  const foreign = FOREIGN.find(([beginning]) => beginning.test(text));
  if (foreign !== undefined) return withHint(foreign[1]());
  if (/\s/.test(text)) {
    return withHint(l10n.t('The text contains a space or a line break. Copy only the key, in one piece.'));
  }
  if (!text.startsWith(PREFIX)) return problemOfBeginning(text);
  return problemOfSecret(text.slice(PREFIX.length));
}

function problemOfBeginning(text: string): string {
  if (/^key[-_ :]/i.test(text)) {
    return l10n.t('The key must start with “{0}”, in lowercase and with an underscore.', PREFIX);
  }
  if (text.includes(PREFIX)) return withHint(l10n.t('There is other text before the key. Copy only the key.'));
  return withHint(l10n.t('This is not a key for this service.'));
}

function problemOfSecret(secret: string): string | undefined {
  if (!/^[\x21-\x7e]*$/.test(secret)) {
    return withHint(l10n.t('The text contains a character that no key contains. Copy the key instead of typing it.'));
  }
  if (secret.includes(PREFIX)) return l10n.t('The text contains two keys. Copy only one of them.');
  if (/["'`<>\\,;]/.test(secret)) {
    return withHint(l10n.t('There is other text after the key. Copy only the key.'));
  }
  if (secret.length < MIN_SECRET_LENGTH) return l10n.t('The key is too short: its end is missing. Copy the whole key.');
  return undefined;
}
