const OWN_PREFIX = 'chatcmpl-';
const OTHER_PREFIXES = /^(msg|resp)_/;

/**
 * Returns the ID in the form that clients of this format expect. The same ID of another format always gives the same
 * result.
 */
export function encodeAnswerId(id: string): string {
  return id.startsWith(OWN_PREFIX) ? id : OWN_PREFIX + id.replace(OTHER_PREFIXES, '');
}

/** The ID for answers of servers that send none. */
export const UNKNOWN_ID = `${OWN_PREFIX}unknown`;
