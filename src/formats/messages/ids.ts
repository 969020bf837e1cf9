/** Prefixes of answer ids in the other formats. */
const FOREIGN_PREFIX = /^(chatcmpl-|resp_)/;

/** The id of an answer in this format. The same id always results in the same id. */
export function messageId(id: string): string {
  return id.startsWith('msg_') ? id : `msg_${id.replace(FOREIGN_PREFIX, '')}`;
}

/** For services that send answers without an id. */
export const UNKNOWN_ID = 'msg_unknown';

/** The service accepts letters, digits, `_`, and `-` in tool call ids; some models write other characters. */
export function toolUseId(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}
