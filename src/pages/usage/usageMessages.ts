import * as z from 'zod/mini';
import type { PageTransport } from '../page.ts';
import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';
import type { ExportFormat, KeptUsage, PeriodChoice, UsageHostMessage } from './protocol.ts';

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

const messages = {
  /** Contains the period that the page kept if it was shown before. */
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
  /** Opens the turn of the run that was in progress then, in milliseconds since the epoch. */
  openRun: { conversationId: text, at: z.number().check(z.nonnegative()) },
  /** `isOfContexts`: a table has what filled contexts instead of the sums of days. */
  export: { format: oneOf<ExportFormat>({ csv: true, json: true }), isOfContexts: z.boolean() },
  addCredit: {},
  /** Opens the page about caches. */
  openCaching: {},
  retry: {},
};

export type UsagePageMessage = MessageOf<typeof messages>;

export const readUsageMessage = messageReader(messages);

export type UsageTransport = PageTransport<UsageHostMessage, UsagePageMessage, KeptUsage>;
