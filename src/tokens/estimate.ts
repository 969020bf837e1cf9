/**
 * Input tokens of a whole request without a tokenizer and without the network: the figure behind the "≈" before
 * the service has counted. Text by {@link estimateTokens}; the rest as {@link measurePrompt} counts it.
 */
import type { ChatRequest } from '../formats/conversation.ts';
import { byArea } from './imageTokens.ts';
import { familyOf } from './modelFamily.ts';
import { measurePrompt, type PromptRules } from './promptSize.ts';
import { estimateTokens } from './textEstimate.ts';

export { estimateTokens } from './textEstimate.ts';

const RULES: Omit<PromptRules, 'countText'> = { countImage: byArea, toolsAre: 'json', toolPrompt: 0 };

/**
 * Of one request so many characters are read, which is more than any model takes; the rest counts like what was read.
 * The gateway serves nobody else meanwhile.
 */
const READ_LENGTH = 4_000_000;

/** Everything the model would read: system prompt, messages, tools, images, documents, the schema of the answer. */
export function estimateRequestTokens(request: ChatRequest): number {
  const { text, fixed } = measurePrompt(request, { ...RULES, countText: boundedCounter() });
  return text + fixed;
}

/** The same as the model's family counts: with its factor, and what it takes for images and tools. */
export function estimateInputTokens(request: ChatRequest): number {
  const family = familyOf(request.model);
  const { text, fixed } = measurePrompt(request, { ...family, countText: boundedCounter() });
  return Math.ceil(text * family.factor + fixed);
}

/** Estimates the texts of one request. */
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
