/**
 * Estimates the input tokens of a whole request without a tokenizer or the network: the figure behind the "≈" before
 * the service has counted. Text is estimated by {@link estimateTokens}, the rest by {@link measurePrompt}.
 */
import type { ChatRequest } from '../formats/conversation.ts';
import { byArea } from './imageTokens.ts';
import { familyOf } from './modelFamily.ts';
import { measurePrompt, type PromptRules, type PromptSize } from './promptSize.ts';
import { estimateTokens } from './textEstimate.ts';

export { estimateTokens } from './textEstimate.ts';

const RULES: Omit<PromptRules, 'countText'> = { countImage: byArea, toolsAre: 'json', toolPrompt: 0 };

/**
 * Maximum characters of a request that are read, more than any model accepts; the rest is extrapolated. Reading blocks
 * the gateway.
 */
const READ_LENGTH = 2_000_000;

/** Estimates everything the model reads: system prompt, messages, tools, images, documents, and the response schema. */
export function estimateRequestTokens(request: ChatRequest): number {
  const { text, fixed } = estimatePrompt(request);
  return text + fixed;
}

/** Like {@link estimateRequestTokens}, with the tokens by what they belong to. */
export function estimatePrompt(request: ChatRequest): PromptSize {
  return measurePrompt(request, { ...RULES, countText: boundedCounter() });
}

/** Like {@link estimateRequestTokens}, with the family's factor and its rules for images and tools. */
export function estimateInputTokens(request: ChatRequest): number {
  const family = familyOf(request.model);
  const { text, fixed } = measurePrompt(request, { ...family, countText: boundedCounter() });
  return Math.ceil(text * family.factor + fixed);
}

/** Returns an estimator for the texts of one request. */
function boundedCounter(): PromptRules['countText'] {
  let [readLength, readTokens] = [0, 0];
  return (text) => {
    const read = text.slice(0, READ_LENGTH - readLength);
    const tokens = estimateTokens(read);
    readLength += read.length;
    readTokens += tokens;
    return tokens + Math.ceil(((text.length - read.length) * readTokens) / Math.max(1, readLength));
  };
}
