import { redact } from './redact.ts';

/** Names of headers whose values must never be shown. */
const SECRET_NAME = /key|token|auth|secret|cookie|password|session|signature|credential/i;
/** Token counts and similar are not secrets: `x-ratelimit-remaining-tokens`. */
const COUNT_NAME = /^(?:x-|anthropic-)?ratelimit-|-tokens(?:-|$)/i;

/** Headers as in Node: several values if a header was repeated. */
type HeaderValues = Readonly<Record<string, number | string | readonly string[] | undefined>>;

/** Returns the headers with masked values where they are or look like secrets. */
export function shownHeaders(headers: HeaderValues): (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, shown(name, String(each))] as const),
  );
}

function shown(name: string, value: string): string {
  return SECRET_NAME.test(name) && !COUNT_NAME.test(name) ? '…' : redact(value);
}
