/** Writes answers like servers of the chat-completions format. */
import { ANSWER_ID, CREATED, callsOf, logProbOf, pieces, type Said, textOf, USAGE } from './script.ts';

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
  const annotations = annotationsOf(said);
  const message = {
    role: 'assistant',
    content: textOf(said) || null,
    ...(annotations.length > 0 && { annotations }),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const choice = { index: 0, message, finish_reason: finishReason(said), logprobs: logProbsOf(said) };
  const id = `chatcmpl-${ANSWER_ID}`;
  return { id, object: 'chat.completion', created: CREATED, model, choices: [choice], usage: USAGE_ON_WIRE };
}

/** Positions count over the whole text. */
function annotationsOf({ parts }: Said): object[] {
  let end = 0;
  return parts.flatMap((part) => {
    if (!('text' in part)) return [];
    const start_index = end;
    end += part.text.length;
    return (part.cites ?? []).map((cited) =>
      'url' in cited
        ? { type: 'url_citation', url_citation: { ...cited, start_index, end_index: end } }
        : { type: 'file', file: { filename: cited.document } },
    );
  });
}

function logProbsOf({ parts }: Said): object | null {
  const content = parts.flatMap((part) => {
    const likely = 'text' in part ? part.likely : undefined;
    return likely === undefined || !('text' in part) ? [] : pieces(part.text).map((piece) => logProbOf(piece, likely));
  });
  return content.length === 0 ? null : { content, refusal: null };
}

function finishReason(said: Said): string {
  return said.limit ?? (callsOf(said).length > 0 ? 'tool_calls' : 'stop');
}

/** Returns the events of an answer. Parallel calls are interleaved, as some servers send them. */
export function chatCompletionEvents(said: Said, model: string): string[] {
  const head = { id: `chatcmpl-${ANSWER_ID}`, object: 'chat.completion.chunk', created: CREATED, model };
  const chunk = (delta: object, finish_reason: string | null = null, logprobs: object | null = null) =>
    eventOf({ ...head, choices: [{ index: 0, delta, finish_reason, logprobs }], usage: null });
  const events = [chunk({ role: 'assistant', content: '' })];
  for (const part of said.parts) {
    if ('text' in part) {
      const { text, likely } = part;
      const about = (token: string) => (likely === undefined ? null : { content: [logProbOf(token, likely)] });
      events.push(...pieces(text).map((content) => chunk({ content }, null, about(content))));
    }
    if ('reasoning' in part) {
      events.push(...pieces(part.reasoning).map((reasoning_content) => chunk({ reasoning_content })));
    }
  }
  const annotations = annotationsOf(said);
  if (annotations.length > 0) events.push(chunk({ annotations }));
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
