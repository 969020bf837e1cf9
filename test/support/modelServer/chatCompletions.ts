/** Answers as servers of the chat-completions format write them. */
import { ANSWER_ID, CREATED, callsOf, pieces, type Said, textOf, USAGE } from './script.ts';

const USAGE_ON_WIRE = {
  prompt_tokens: USAGE.prompt,
  completion_tokens: USAGE.completion,
  total_tokens: USAGE.prompt + USAGE.completion,
  prompt_tokens_details: { cached_tokens: USAGE.cached },
};

export function wholeChatCompletion(said: Said, model: string) {
  const calls = callsOf(said).map(({ call: id, name, arguments: written }) => ({
    id,
    type: 'function',
    function: { name, arguments: written },
  }));
  const reasoning = said.parts.map((part) => ('reasoning' in part ? part.reasoning : '')).join('');
  const message = {
    role: 'assistant',
    content: textOf(said) || null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choice = { index: 0, message, finish_reason: finishReason(said), logprobs: null };
  const id = `chatcmpl-${ANSWER_ID}`;
  return { id, object: 'chat.completion', created: CREATED, model, choices: [choice], usage: USAGE_ON_WIRE };
}

function finishReason(said: Said): string {
  return said.limit ?? (callsOf(said).length > 0 ? 'tool_calls' : 'stop');
}

/** Parallel calls interleave, as some servers send them. */
export function chatCompletionEvents(said: Said, model: string): string[] {
  const head = { id: `chatcmpl-${ANSWER_ID}`, object: 'chat.completion.chunk', created: CREATED, model };
  const chunk = (delta: object, finish_reason: string | null = null) =>
    eventOf({ ...head, choices: [{ index: 0, delta, finish_reason, logprobs: null }], usage: null });
  const events = [chunk({ role: 'assistant', content: '' })];
  for (const part of said.parts) {
    if ('text' in part) events.push(...pieces(part.text).map((content) => chunk({ content })));
    if ('reasoning' in part) {
      events.push(...pieces(part.reasoning).map((reasoning_content) => chunk({ reasoning_content })));
    }
  }
  const calls = callsOf(said);
  events.push(
    ...calls.map(({ call: id, name }, index) =>
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ),
  );
  const written = calls.map((call) => pieces(call.arguments));
  for (let nth = 0; nth < Math.max(0, ...written.map(({ length }) => length)); nth += 1) {
    for (const [index, fragments] of written.entries()) {
      const fragment = fragments[nth];
      if (fragment !== undefined) events.push(chunk({ tool_calls: [{ index, function: { arguments: fragment } }] }));
    }
  }
  events.push(chunk({}, finishReason(said)), eventOf({ ...head, choices: [], usage: USAGE_ON_WIRE }));
  return [...events, 'data: [DONE]\n\n'];
}

function eventOf(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
