import * as z from 'zod/mini';
import type { BodyPart } from '../../gateway/traffic/protocol.ts';
import { OUTCOMES, type RequestSource } from '../../rules/exchange.ts';
import type { PageTransport } from '../page.ts';
import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';
import type { ExchangeAction, KeptTraffic, TrafficHostMessage, TrafficRow } from './protocol.ts';

const text = z.string();
const optionalText = z.exactOptional(text);
const optionalTime = z.exactOptional(z.number());
const source = oneOf<RequestSource>({
  gateway: true,
  chatPanel: true,
  chatTitle: true,
  codeMerge: true,
  nativeChat: true,
  command: true,
  inlineSuggestion: true,
});

const choice = z.object({
  model: optionalText,
  client: optionalText,
  localKeyId: optionalText,
  source: z.exactOptional(source),
  conversationId: optionalText,
  sessionId: optionalText,
  from: optionalTime,
  to: optionalTime,
  text: optionalText,
  outcome: z.exactOptional(z.enum([...OUTCOMES, 'running'])),
  view: z.exactOptional(z.literal('sessions')),
});

/** A row as the host sent it. What is not checked here is only shown, copied, and saved. */
const row = z.looseObject({
  id: text,
  at: z.int(),
  source,
  model: optionalText,
  localKeyId: optionalText,
}) as unknown as z.ZodMiniType<TrafficRow>;

const messages = {
  /** Contains the choice that the page showed before. */
  ready: { choice: z.optional(choice) },
  choose: { choice },
  /** Asks for the next page of older exchanges. */
  more: { before: z.object({ at: z.number(), number: z.number() }) },
  readSession: { sessionId: text },
  pause: { isPaused: z.boolean() },
  readDetails: { id: text },
  /** Asks what a recorded request consists of. */
  readContext: { id: text, at: z.number() },
  readBody: {
    id: text,
    part: oneOf<BodyPart>({ request: true, upstreamRequest: true, upstreamAnswer: true, answer: true }),
  },
  act: {
    action: oneOf<ExchangeAction>({ copyAs: true, resend: true, saveHar: true, saveFixture: true, cancel: true }),
    row,
  },
  compare: { rows: z.tuple([row, row]) },
  setCapture: { isOn: z.boolean() },
  deleteBodies: {},
  startGateway: {},
  openSession: { sessionId: text },
  openUsage: {},
  openRoutes: {},
};

export type TrafficPageMessage = MessageOf<typeof messages>;

export const readTrafficMessage = messageReader(messages);

export type TrafficTransport = PageTransport<TrafficHostMessage, TrafficPageMessage, KeptTraffic>;
