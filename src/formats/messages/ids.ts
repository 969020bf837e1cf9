/** Prefixes that the other formats give to the ids of their answers. */
const FOREIGN_PREFIX = /^(chatcmpl-|resp_)/;

/** The id of an answer as this format spells it; the same id always becomes the same. */
export function messageId(id: string): string {
  return id.startsWith('msg_') ? id : `msg_${id.replace(FOREIGN_PREFIX, '')}`;
}

/** For services that give their answers no id, where nobody has a better one. */
export const UNKNOWN_ID = 'msg_unknown';

/** The service takes letters, digits, `_` and `-` in the ids of tool calls; some models write others. */
export function toolUseId(id: string): string {
  return id.replace(/[^\w-]/g, '_');
}
