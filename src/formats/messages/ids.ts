/** Prefixes of answer IDs in the other formats. */
const FOREIGN_PREFIX = /^(chatcmpl-|resp_)/;

/** Returns the ID of an answer in this format. The same ID always gives the same result. */
export function messageId(id: string): string {
  return id.startsWith('msg_') ? id : `msg_${id.replace(FOREIGN_PREFIX, '')}`;
}

/** The ID for answers of services that send none. */
export const UNKNOWN_ID = 'msg_unknown';

/** Replaces characters that some models write in tool call IDs. The service accepts letters, digits, `_`, and `-`. */
export function toolUseId(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}
