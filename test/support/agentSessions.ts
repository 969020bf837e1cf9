import type { AssistantPart, ChatRequest, Message, Tool } from '../../src/formats/conversation.ts';

export interface TimedRequest {
  readonly request: ChatRequest;
  /** When the request is sent, in milliseconds. */
  readonly at: number;
}

/** Returns a generator of numbers from 0 to 1 that are always the same for a seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a session with the sizes of recorded ones: a chat with attachments, or an agent whose tools return files. */
export function agentSession(seed: number): TimedRequest[] {
  const random = seeded(seed);
  const between = (least: number, most: number) => least + Math.floor(random() * (most - least));
  const isAgent = random() < 0.6;
  const words = (bytes: number) =>
    `${seed}.${Math.floor(random() * 1e9)} `.repeat(Math.ceil(bytes / 14)).slice(0, bytes);
  const tools: Tool[] = Array.from({ length: isAgent ? between(10, 40) : 0 }, (_, index) => ({
    name: `tool${index}`,
    description: words(between(300, 1200)),
    parameters: { type: 'object', properties: {} },
  }));
  const system = [{ type: 'text' as const, text: words(isAgent ? between(6000, 20_000) : between(200, 6000)) }];
  const messages: Message[] = [];
  const requests: TimedRequest[] = [];
  let at = 0;
  const ask = () => {
    requests.push({ at, request: { model: 'm', system, messages: [...messages], ...(isAgent && { tools }) } });
    at += between(5_000, 90_000);
  };
  for (let turn = between(4, 15); turn > 0; turn--) {
    messages.push({ role: 'user', parts: [{ type: 'text', text: words(between(100, isAgent ? 2000 : 20_000)) }] });
    ask();
    for (let step = isAgent ? between(1, 8) : 0; step > 0; step--) {
      const ids = Array.from({ length: between(1, 4) }, (_, index) => `toolu_${messages.length}_${index}`);
      const calls = ids.map(
        (id): AssistantPart => ({ type: 'toolCall', id, name: 'tool0', arguments: '{"path":"a"}' }),
      );
      messages.push({ role: 'assistant', parts: [{ type: 'text', text: words(200) }, ...calls] });
      const results = ids.map((toolCallId) => ({
        type: 'toolResult' as const,
        toolCallId,
        content: [{ type: 'text' as const, text: words(between(200, 8000)) }],
      }));
      messages.push({ role: 'tool', parts: results });
      ask();
    }
    messages.push({ role: 'assistant', parts: [{ type: 'text', text: words(between(200, 3000)) }] });
  }
  return requests;
}
