import * as z from 'zod/mini';
import type { BudgetPeriod } from '../../rules/period.ts';

import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';

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

const messages = {
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
};

export type ConnectPageMessage = MessageOf<typeof messages>;

export const readConnectMessage = messageReader(messages);
