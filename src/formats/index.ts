/** The wire formats by name. Another format needs one more folder, and one more line here. */
import { chatCompletions } from './chatCompletions/index.ts';
import type { FormatName } from './conversation.ts';
import { messages } from './messages/index.ts';
import { responses } from './responses/index.ts';
import type { WireFormat } from './wireFormat.ts';

export { wholeName } from './shortIds.ts';

export const wireFormats: Readonly<Record<FormatName, WireFormat>> = {
  'chat-completions': chatCompletions,
  messages,
  responses,
};
