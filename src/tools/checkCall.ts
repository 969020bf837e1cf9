import * as z from 'zod/mini';
import type { FormatName } from '../formats/conversation.ts';
import { estimateTokens } from '../tokens/textEstimate.ts';
import type { ClientProgram, ToolAccess } from './tool.ts';

const QUESTION = 'Reply with the one word: connected';
const MAX_TOKENS = 64;
const TIMEOUT_MS = 60_000;
/** The client name in the ledger that distinguishes the check's requests from the tool's own. */
export const CHECK_CLIENT = 'model-access-check';
export const CHECK_HEADERS = { 'user-agent': `${CHECK_CLIENT}/1` } as const;

const message = [{ role: 'user', content: QUESTION }];
const CALLS: Readonly<Record<FormatName, { readonly path: string; readonly body: object }>> = {
  'chat-completions': { path: '/chat/completions', body: { messages: message, max_tokens: MAX_TOKENS } },
  messages: { path: '/messages', body: { messages: message, max_tokens: MAX_TOKENS } },
  responses: { path: '/responses', body: { input: QUESTION, max_output_tokens: MAX_TOKENS } },
};

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

export interface CheckResult {
  /** The HTTP status. */
  readonly status: number;
  readonly milliseconds: number;
  /** The error message of the gateway or the service. */
  readonly problem?: string;
}

/**
 * The estimated maximum cost of the check in US dollars: its question, and the longest answer that it allows.
 * @returns undefined for a model without prices.
 */
export function checkCost(prices: { readonly inputPrice?: number; readonly outputPrice?: number }): number | undefined {
  const { inputPrice, outputPrice } = prices;
  if (inputPrice === undefined || outputPrice === undefined) return undefined;
  return (estimateTokens(QUESTION) * inputPrice + MAX_TOKENS * outputPrice) / 1e6;
}

/**
 * Sends one real request as the tool would: with its endpoint, key, and model.
 * @throws if there is no answer.
 */
export async function checkCall(
  { format }: ClientProgram,
  { address, secret, model }: ToolAccess,
): Promise<CheckResult> {
  const { path, body } = CALLS[format];
  const started = performance.now();
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { ...CHECK_HEADERS, authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, ...body }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await answer.text();
  const milliseconds = Math.round(performance.now() - started);
  return { status: answer.status, milliseconds, ...(!answer.ok && { problem: problemIn(text) }) };
}

function problemIn(text: string): string {
  try {
    return errorSchema.parse(JSON.parse(text)).error.message;
  } catch {
    return text.slice(0, 300);
  }
}
