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

const RULES: PromptRules = { countText: estimateTokens, countImage: byArea, toolsAre: 'json', toolPrompt: 0 };

/** Everything the model would read: system prompt, messages, tools, images, documents, the schema of the answer. */
export function estimateRequestTokens(request: ChatRequest): number {
  const { text, fixed } = measurePrompt(request, RULES);
  return text + fixed;
}

/** The same as the model's family counts: with its factor, and what it takes for images and tools. */
export function estimateInputTokens(request: ChatRequest): number {
  const family = familyOf(request.model);
  const { text, fixed } = measurePrompt(request, { ...family, countText: estimateTokens });
  return Math.ceil(text * family.factor + fixed);
}
