import * as z from 'zod/mini';
import type { BudgetPeriod } from '../localKey/protocol.ts';
import { messageReader, oneOf } from '../pageMessages.ts';
import type { ConnectPageMessage } from './protocol.ts';

const text = z.string();
const ofTool = { tool: text };

const form = z.object({
  tool: text,
  model: text,
  name: text,
  budget: text,
  period: oneOf<BudgetPeriod>({ daily: true, monthly: true, total: true }),
  sessionDollars: text,
  addsAliases: z.boolean(),
});

/** Reads the messages of the page that connects a tool. */
export const readConnectMessage = messageReader<ConnectPageMessage>({
  ready: {},
  preview: { number: z.number(), form },
  connect: { form },
  disconnect: ofTool,
  check: ofTool,
  copySnippet: ofTool,
  openFile: ofTool,
  openDocumentation: ofTool,
  openTerminal: ofTool,
  copy: { text },
  startWithEditor: {},
  close: {},
});
