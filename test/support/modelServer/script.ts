/** What a scripted model answers, independent of wire formats. */

export type SaidPart =
  | {
      readonly text: string;
      readonly cites?: readonly SaidCitation[];
      /** The log probability of each of its pieces, in formats that support it. */
      readonly likely?: number;
    }
  | { readonly reasoning: string; readonly signature?: string }
  | { readonly call: string; readonly name: string; readonly arguments: string };

/** A page, or a document of the request. */
export type SaidCitation = { readonly url: string; readonly title: string } | { readonly document: string };

export interface Said {
  readonly parts: readonly SaidPart[];
  /** Why the answer ends. If undefined, because of its calls or naturally. */
  readonly limit?: 'length';
}

/** Prompt tokens, some of them cached, and completion tokens. */
export const USAGE = { prompt: 120, cached: 100, completion: 17 };

export const CREATED = 1_790_000_000;
export const ANSWER_ID = 'a1b2c3';

/** Splits a text into pieces like those of a model. */
export function pieces(text: string): string[] {
  return text.match(/[\s\S]{1,7}/gu) ?? [];
}

/** Returns the log probability of one piece of text, in the form of two of the formats. */
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
