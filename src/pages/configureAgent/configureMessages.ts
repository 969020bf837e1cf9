import * as z from 'zod/mini';
import type { PageTransport } from '../page.ts';
import { type MessageOf, messageReader, oneOf } from '../pageMessages.ts';
import type { ConfigureAgentHostMessage, ConfiguredKind } from './protocol.ts';

const text = z.string();

const messages = {
  ready: {},
  switch: {
    kind: oneOf<ConfiguredKind>({ instructions: true, skills: true, agents: true, tools: true }),
    id: text,
    isOn: z.boolean(),
  },
  open: { path: text },
  newAgent: {},
  openSettings: {},
};

export type ConfigureAgentMessage = MessageOf<typeof messages>;

export const readConfigureMessage = messageReader(messages);

export type ConfigureAgentTransport = PageTransport<ConfigureAgentHostMessage, ConfigureAgentMessage>;
