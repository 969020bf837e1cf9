const OWN_PREFIX = 'chatcmpl-';
const OTHER_PREFIXES = /^(msg|resp)_/;

/** The id as clients of this format expect it; made of another format's id it is the same each time. */
export function encodeAnswerId(id: string): string {
  return id.startsWith(OWN_PREFIX) ? id : OWN_PREFIX + id.replace(OTHER_PREFIXES, '');
}

/** For servers that give their answers no id, where nobody has a better one. */
export const UNKNOWN_ID = `${OWN_PREFIX}unknown`;
