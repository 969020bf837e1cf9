import type { FormatName, JsonObject } from '../../../src/formats/conversation.ts';

export interface Question {
  readonly text: string;
  readonly stream: boolean;
  /** A PNG in base64. */
  readonly image?: string;
  readonly offersTool?: boolean;
  /** Of the answer. */
  readonly schema?: JsonObject;
  readonly signal?: AbortSignal;
  /** Called with the first piece of a stream. */
  readonly onPiece?: () => void;
}

/** What an SDK makes of an answer. */
export interface Told {
  readonly text: string;
  readonly reasoning: string;
  /** Addresses that it cites. */
  readonly pages: readonly string[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One conversation, led by an SDK the way its users do. */
export interface SdkClient {
  ask(question: Question): Promise<Told>;
  /** Sends back all that was answered with the results of its calls, by their ids, each with the image if there is one. */
  goOn(results: ReadonlyMap<string, string>, image?: string): Promise<Told>;
  /** Of an error that it threw; undefined when it is none of a request. */
  statusOf(error: unknown): number | undefined;
}

/** Where a client finds the gateway. */
export interface GatewayAddress {
  /** Such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  /** Without `/v1`. */
  readonly root: string;
  readonly key: string;
}

export interface SdkKind {
  readonly name: string;
  readonly format: FormatName;
  /** Whether it gives back what proves reasoning. */
  readonly givesReasoningBack: boolean;
  /** Whether the results of tools can hold images. */
  readonly showsImages: boolean;
  /** Whether it tells what an answer cites. */
  readonly namesPages: boolean;
  create(gateway: GatewayAddress): SdkClient;
}

export const MODEL = 'some-model';
export const TOOL = {
  name: 'look',
  description: 'Looks at a city.',
  schema: {
    type: 'object' as const,
    properties: { city: { type: 'string' as const } },
    required: ['city'],
    additionalProperties: false,
  },
};
