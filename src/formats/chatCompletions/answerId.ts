const OWN_PREFIX = 'chatcmpl-';
const OTHER_PREFIXES = /^(msg|resp)_/;

/** The id as clients of this format expect it. The same id of another format always results in the same id. */
export function encodeAnswerId(id: string): string {
  return id.startsWith(OWN_PREFIX) ? id : OWN_PREFIX + id.replace(OTHER_PREFIXES, '');
}

/** For servers that send answers without an id. */
export const UNKNOWN_ID = `${OWN_PREFIX}unknown`;
