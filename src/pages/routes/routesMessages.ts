import * as z from 'zod/mini';
import type { RequestClass } from '../../gateway/core/requestSession.ts';
import type { ExtraTrigger } from '../../gateway/routing/routes/routeEntry.ts';
import type { PageTransport } from '../page.ts';
import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';
import type { KeptRoutes, RoutesHostMessage, RuleForm, SettingOfRoutes } from './protocol.ts';

const text = z.string();
const use = z.array(text);
const requestClass = oneOf<RequestClass | ''>({
  '': true,
  main: true,
  subagent: true,
  workflow: true,
  compaction: true,
  auxiliary: true,
});
const image = oneOf<RuleForm['image']>({ '': true, yes: true, no: true });

const rule = z.object({ requestClass, agent: text, tool: text, image, tokensAbove: text, tokensBelow: text, use });

const routes = z.array(
  z.object({
    name: text,
    use,
    when: z.array(rule),
    also: z.array(oneOf<ExtraTrigger>({ overflow: true, credit: true, refusal: true, filter: true })),
    limits: z.object({ firstTokenSeconds: text, idleSeconds: text, totalSeconds: text }),
  }),
);

const trial = z.object({ model: text, requestClass, agent: text, tools: text, tokens: text, hasImage: z.boolean() });

const messages = {
  ready: {},
  /** `number` is in the answer, so that an earlier one is ignored. */
  check: { number: z.number(), routes, trial },
  save: { routes },
  openSettings: { setting: oneOf<SettingOfRoutes>({ routes: true, aliases: true }) },
  /** Lets the user choose a request of Traffic. Answered by `trial`. */
  fromTraffic: {},
};

export type RoutesPageMessage = MessageOf<typeof messages>;

export const readRoutesMessage = messageReader(messages);

export type RoutesTransport = PageTransport<RoutesHostMessage, RoutesPageMessage, KeptRoutes>;
