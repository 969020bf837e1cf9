import * as z from 'zod/mini';
import { messageReader, oneOf } from '../pageMessages.ts';
import type { KeyForm, KeyPageMessage } from './protocol.ts';

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
  expiry: oneOf<KeyForm['expiry']>({ never: true, month: true, date: true }),
  date: text,
});

/** Reads the messages of the page of a local key. */
export const readKeyMessage = messageReader<KeyPageMessage>({
  ready: {},
  check: { form, id: z.optional(text) },
  create: { form },
  change: { form, id: text },
  copy: { text },
  manage: {},
  close: {},
});
