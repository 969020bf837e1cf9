/** What a scripted model says, in the terms of no wire format. */

export type SaidPart =
  | {
      readonly text: string;
      readonly cites?: readonly SaidCitation[];
      /** The log probability of each of its pieces, in the formats that have it. */
      readonly likely?: number;
    }
  | { readonly reasoning: string; readonly signature?: string }
  | { readonly call: string; readonly name: string; readonly arguments: string };

/** A page, or a document of the request. */
export type SaidCitation = { readonly url: string; readonly title: string } | { readonly document: string };

export interface Said {
  readonly parts: readonly SaidPart[];
  /** Why it ends; by its calls or its end when absent. */
  readonly limit?: 'length';
}

/** Prompt tokens, of which the cache gave some, and completion tokens. */
export const USAGE = { prompt: 120, cached: 100, completion: 17 };

export const CREATED = 1_790_000_000;
export const ANSWER_ID = 'a1b2c3';

/** Pieces of a text as a model writes it. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

/** Of one piece of a text, as two of the formats tell it. */
export function logProbOf(token: string, logprob: number) {
  const own = { token, logprob, bytes: [...Buffer.from(token)] };
  return { ...own, top_logprobs: [own] };
}

export function callsOf({ parts }: Said) {
  return parts.filter((part) => 'call' in part);
}

export function textOf({ parts }: Said): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}
