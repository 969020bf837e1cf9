import * as z from 'zod/mini';
import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';
import type { KeyForm } from './protocol.ts';

const text = z.string();

const form = z.object({
  name: text,
  unit: oneOf<KeyForm['unit']>({ usd: true, tokens: true }),
  budgets: z.object({ daily: text, monthly: text, total: text }),
  lowersLimits: z.boolean(),
  requestsPerMinute: text,
  parallel: text,
  tokensPerMinute: text,
  sessionDollars: text,
  models: z.exactOptional(z.array(text)),
  patterns: text,
  secrets: oneOf<KeyForm['secrets']>({ default: true, off: true, report: true, seal: true, refuse: true }),
  expiry: oneOf<KeyForm['expiry']>({ never: true, month: true, date: true }),
  date: text,
});

const messages = {
  ready: {},
  /** Asks for the problems of the form. `id` is that of the created key, whose name it may keep. */
  check: { form, id: z.optional(text) },
  create: { form },
  /** Replaces the name and the terms of the created key. */
  change: { form, id: text },
  copy: { text },
  /** Copies the secret of an existing key, which the page does not have. */
  copyKey: { id: text },
  manage: {},
  close: {},
};

export type KeyPageMessage = MessageOf<typeof messages>;

export const readKeyMessage = messageReader(messages);
