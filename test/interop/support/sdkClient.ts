import type { FormatName } from '../../../src/formats/conversation.ts';
import type { JsonObject } from '../../../src/formats/json.ts';

export interface Question {
  readonly text: string;
  readonly stream: boolean;
  /** A PNG in base64. */
  readonly image?: string;
  readonly offersTool?: boolean;
  /** JSON Schema of the answer. */
  readonly schema?: JsonObject;
  readonly signal?: AbortSignal;
  /** Called with the first piece of a stream. */
  readonly onPiece?: () => void;
}

/** What an SDK returns for an answer. */
export interface SdkAnswer {
  readonly text: string;
  readonly reasoning: string;
  /** Cited addresses. */
  readonly pages: readonly string[];
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One conversation, managed by an SDK as its users do. */
export interface SdkClient {
  ask(question: Question): Promise<SdkAnswer>;
  /** Sends the answer back with the results of its calls, by call ID, each with the image if there is one. */
  goOn(results: ReadonlyMap<string, string>, image?: string): Promise<SdkAnswer>;
  /** Returns the status of a thrown error; undefined if it is not a request's error. */
  statusOf(error: unknown): number | undefined;
}

/** The address of the gateway, for clients. */
export interface GatewayAddress {
  /** The base address, such as `http://127.0.0.1:8787/api/v1`. */
  readonly address: string;
  /** The base address without `/v1`. */
  readonly root: string;
  readonly key: string;
}

export interface SdkKind {
  readonly name: string;
  readonly format: FormatName;
  /** Whether it sends the signature of reasoning back. */
  readonly givesReasoningBack: boolean;
  /** Whether tool results can contain images. */
  readonly showsImages: boolean;
  /** Whether it returns the citations of an answer. */
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
