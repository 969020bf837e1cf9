import * as z from 'zod/mini';
import { messageReader, oneOf } from '../pageMessages.ts';
import type { ExportFormat, PeriodChoice, UsagePageMessage } from './protocol.ts';

const text = z.string();
const optionalText = z.exactOptional(text);
const optionalTime = z.exactOptional(z.number());

/** A day such as `2027-01-31`. */
const day = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/));
const choice = z.union([
  z.object({
    kind: oneOf<Exclude<PeriodChoice['kind'], 'dates'>>({ today: true, '7days': true, '30days': true, month: true }),
  }),
  z.object({ kind: z.literal('dates'), period: z.object({ first: day, last: day }) }),
]);

/** Reads the messages of the Usage view. */
export const readUsageMessage = messageReader<UsagePageMessage>({
  ready: { choice: z.optional(choice) },
  choosePeriod: { choice },
  openTraffic: {
    filter: z.object({
      model: optionalText,
      localKeyId: optionalText,
      source: optionalText,
      client: optionalText,
      conversationId: optionalText,
      sessionId: optionalText,
      text: optionalText,
      from: optionalTime,
      to: optionalTime,
    }),
  },
  openSession: { sessionId: text },
  openConversation: { conversationId: text },
  openRun: { conversationId: text, at: z.number().check(z.nonnegative()) },
  export: { format: oneOf<ExportFormat>({ csv: true, json: true }) },
  addCredit: {},
  openCaching: {},
  retry: {},
});
