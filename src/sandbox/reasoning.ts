/** The sandbox's simulated reasoning, and its signature, which clients must send back unchanged. */
import type { ChatRequest, FormatName, ReasoningPart } from '../formats/conversation.ts';
import type { SandboxModel } from './catalog.ts';
import { digest } from './ids.ts';
import { invalid } from './requestError.ts';

const SEAL = 'sandbox.';

const THOUGHTS = [
  'The sandbox does not reason; this text takes the place of real reasoning.',
  'First, the question is read again, to separate what it asks from what it only mentions.',
  'Then the ways to answer are compared: the shortest one that leaves nothing out is usually the best.',
  'A doubt remains about the details, so the request is checked once more, message by message.',
  'The available tools are considered; most questions need none of them.',
  'Now the order of the answer is clear, and it can be written.',
] as const;

const SENTENCES: Readonly<Record<string, number>> = { minimal: 1, low: 2, medium: 4 };

/** Whether the request has a parameter that asks for reasoning. Models without the capability ignore it. */
export function asksForReasoning({ reasoning }: ChatRequest, model: SandboxModel): boolean {
  if (!model.capabilities.reasoning || reasoning === undefined) return false;
  return reasoning.effort !== 'none' && reasoning.budgetTokens !== 0;
}

/** The seal is a signature or, in the responses format, encrypted content. The chat-completions format has none. */
export function think(request: ChatRequest, format: FormatName): ReasoningPart {
  const sentences = SENTENCES[request.reasoning?.effort ?? 'medium'] ?? THOUGHTS.length;
  const text = THOUGHTS.slice(0, sentences).join(' ');
  if (format === 'messages') return { type: 'reasoning', text, signature: sealOf(text) };
  return format === 'responses' ? { type: 'reasoning', text, encrypted: sealOf(text) } : { type: 'reasoning', text };
}

/**
 * The hosted models refuse reasoning that does not match its signature, and the sandbox does the same for its own.
 * @throws {RequestError}
 */
export function checkSeals({ messages }: ChatRequest): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) {
      if (part.type !== 'reasoning' || !part.signature?.startsWith(SEAL)) continue;
      if (part.signature === sealOf(part.text)) continue;
      throw invalid(
        `The signature of the reasoning in message ${index} does not match its text. Send both back unchanged.`,
      );
    }
  }
}

function sealOf(text: string): string {
  return SEAL + Buffer.from(digest(text), 'hex').toString('base64');
}
