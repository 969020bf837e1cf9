/** Log probabilities of tokens, which have the same shape in the two formats that support them. */
import * as z from 'zod/mini';
import type { LogProb, TokenLogProb } from './conversation.ts';
import { defined } from './json.ts';

const logProbFields = { token: z.string(), logprob: z.number(), bytes: z.nullish(z.array(z.number())) };
const logProb = z.looseObject(logProbFields);
const tokenLogProb = z.looseObject({ ...logProbFields, top_logprobs: z.nullish(z.array(logProb)) });

/** Invalid tokens become `null`, so that the text is not lost. */
export const logProbsSchema = z.nullish(z.array(z.catch(z.nullable(tokenLogProb), null)));

export type WireLogProbs = z.infer<typeof logProbsSchema>;
type WireToken = z.infer<typeof tokenLogProb>;
type WireLogProb = z.infer<typeof logProb>;

export function decodeLogProbs(wire: WireLogProbs): TokenLogProb[] {
  return (wire ?? []).flatMap((token) => (token === null ? [] : [decodeToken(token)]));
}

export function hasUnreadable(wire: WireLogProbs): boolean {
  return wire?.includes(null) === true;
}

function decodeToken({ top_logprobs: top, ...token }: WireToken): TokenLogProb {
  return { ...decodeOne(token), top: (top ?? []).map(decodeOne) };
}

function decodeOne({ token, logprob, bytes }: WireLogProb): LogProb {
  return { token, logProb: logprob, ...defined({ bytes: bytes ?? undefined }) };
}

/** Encodes all members, which clients require, with `bytes` as a list. */
export function encodeLogProbs(tokens: readonly TokenLogProb[]): WireToken[] {
  return tokens.map(({ top, ...token }) => ({ ...encodeOne(token), top_logprobs: top.map(encodeOne) }));
}

function encodeOne({ token, logProb: logprob, bytes }: LogProb) {
  return { token, logprob, bytes: [...(bytes ?? new TextEncoder().encode(token))] };
}

/** Returns the member for {@link TextPart} and similar, or no member if there are no tokens. */
export function asLogProbs(tokens: readonly TokenLogProb[]): { readonly logProbs?: readonly TokenLogProb[] } {
  return tokens.length === 0 ? {} : { logProbs: tokens };
}
