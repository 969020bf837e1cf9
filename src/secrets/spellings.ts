import { escapeJson, unescapeJson } from './jsonEscapes.ts';

/**
 * Returns the ways in which a secret is written: as it is, with the escapes of JSON, in a URL, and in base64. Each gets
 * its own stand-in, so that a text that repeats it gets exactly what was there.
 */
export function spellingsOf(secret: string): ReadonlySet<string> {
  const escaped = escapeJson(secret);
  const inUrl = [encodeUrl(secret, encodeURIComponent), encodeUrl(secret, encodeURI)];
  return new Set([
    secret,
    unescapeJson(secret),
    escaped,
    escapeJson(escaped),
    escaped.replaceAll('/', '\\/'),
    ascii(escaped),
    ...inUrl.flatMap((each) => [each, lowerCase(each), strict(each), each.replaceAll('%20', '+')]),
    ...base64Forms(secret),
  ]);
}

function encodeUrl(text: string, encode: (text: string) => string): string {
  try {
    return encode(text);
  } catch {
    // A surrogate without its pair cannot be in a URL.
    return text;
  }
}

function lowerCase(encoded: string): string {
  return encoded.replace(/%[0-9A-F]{2}/g, (each) => each.toLowerCase());
}

/** As RFC 3986 demands it. */
function strict(encoded: string): string {
  return encoded.replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** Some libraries escape every character that is not ASCII. */
function ascii(escaped: string): string {
  return escaped.replace(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Without the padding, which is not written everywhere. A shell's `echo` adds a line break. */
function base64Forms(secret: string): string[] {
  return [secret, `${secret}\n`].flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  });
}
