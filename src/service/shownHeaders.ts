import { redact } from './redact.ts';

/** Names under which clients and vendors send what must not be shown, whatever it looks like. */
const SECRET_NAME = /key|token|auth|secret|cookie|password|session|signature|credential/i;
/** Counts of tokens and the like are no secrets: `x-ratelimit-remaining-tokens`. */
const COUNT_NAME = /^(?:x-|anthropic-)?ratelimit-|-tokens(?:-|$)/i;

/** As Node has them: several values where a header came more than once. */
type HeaderValues = Readonly<Record<string, number | string | readonly string[] | undefined>>;

/** Headers for a person: values that are or look like secrets are masked. */
export function shownHeaders(headers: HeaderValues): (readonly [name: string, value: string])[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((each) => [name, shown(name, String(each))] as const),
  );
}

function shown(name: string, value: string): string {
  return SECRET_NAME.test(name) && !COUNT_NAME.test(name) ? '…' : redact(value);
}
