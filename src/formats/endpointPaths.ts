import type { FormatName } from './conversation.ts';

/** The path of each format's endpoint, relative to the base address. */
export const ENDPOINT_PATHS = {
  'chat-completions': '/chat/completions',
  messages: '/messages',
  responses: '/responses',
} as const satisfies Record<FormatName, string>;
