import type { FormatName } from './conversation.ts';

/** Where a request of each format goes, below the base address. */
export const ENDPOINT_PATHS = {
  'chat-completions': '/chat/completions',
  messages: '/messages',
  responses: '/responses',
} as const satisfies Record<FormatName, string>;
