/** Streams in the three formats, from texts and calls. */

export type Format = 'chat-completions' | 'messages' | 'responses';

export interface ModelAnswer {
  readonly reasoning: string;
  readonly text: string;
  /** Arguments of calls, as JSON. */
  readonly calls: readonly string[];
  /** The input of a free-form tool. */
  readonly freeForm: string;
}

/** Cuts a text into pieces. */
export type Cut = (text: string) => readonly string[];

/** Returns the events of a stream. */
export function eventsOf(format: Format, answer: ModelAnswer, cut: Cut): string[] {
  return { 'chat-completions': chatEvents, messages: messagesEvents, responses: responsesEvents }[format](answer, cut);
}

function event(value: { readonly type?: string }): string {
  const name = value.type === undefined ? '' : `event: ${value.type}\n`;
  return `${name}data: ${JSON.stringify(value)}\n\n`;
}

function chatEvents({ reasoning, text, calls, freeForm }: ModelAnswer, cut: Cut): string[] {
  const chunk = (delta: object, finish: string | null = null) =>
    event({ id: 'c', choices: [{ index: 0, delta, finish_reason: finish }] } as object);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...cut(reasoning).map((piece) => chunk({ reasoning_content: piece })),
    ...cut(text).map((piece) => chunk({ content: piece })),
    ...calls.flatMap((call, index) => [
      chunk({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name: 'f', arguments: '' } }] }),
      ...cut(call).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    ...cut(freeForm).map((piece) => chunk({ tool_calls: [{ index: calls.length, custom: { input: piece } }] })),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ];
}

function messagesEvents({ reasoning, text, calls }: ModelAnswer, cut: Cut): string[] {
  const block = (index: number, start: object, deltas: readonly object[]) => [
    event({ type: 'content_block_start', index, content_block: start } as { type: string }),
    ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta } as { type: string })),
    event({ type: 'content_block_stop', index } as { type: string }),
  ];
  return [
    event({ type: 'message_start', message: { content: [] } } as { type: string }),
    ...block(0, { type: 'thinking', thinking: '' }, [
      ...cut(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: 'EqQBCkgIARABGAIiQ' },
    ]),
    event({ type: 'ping' }),
    ...block(
      1,
      { type: 'text', text: '' },
      cut(text).map((piece) => ({ type: 'text_delta', text: piece })),
    ),
    ...calls.flatMap((call, at) =>
      block(
        at + 2,
        { type: 'tool_use', id: `t${at}`, name: 'f', input: {} },
        cut(call).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      ),
    ),
    event({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} } as { type: string }),
    event({ type: 'message_stop' }),
  ];
}

function responsesEvents({ reasoning, text, calls, freeForm }: ModelAnswer, cut: Cut): string[] {
  const item = (output_index: number, kind: string, whole: string, done: object, name: string) => [
    ...cut(whole).map((delta) => event({ type: `${kind}.delta`, output_index, content_index: 0, delta } as never)),
    event({ type: `${kind}.done`, output_index, [name]: whole } as never),
    event({ type: 'response.output_item.done', output_index, item: done } as never),
  ];
  const message = { type: 'message', content: [{ type: 'output_text', text }] };
  const thought = { type: 'reasoning', summary: [{ type: 'summary_text', text: reasoning }] };
  const custom = { type: 'custom_tool_call', input: freeForm };
  const called = calls.map((call) => ({ type: 'function_call', arguments: call }));
  return [
    event({ type: 'response.created', response: {} } as never),
    ...item(0, 'response.reasoning_summary_text', reasoning, thought, 'text'),
    ...item(1, 'response.output_text', text, message, 'text'),
    ...called.flatMap((call, at) =>
      item(2 + at, 'response.function_call_arguments', call.arguments, call, 'arguments'),
    ),
    ...item(2 + called.length, 'response.custom_tool_call_input', freeForm, custom, 'input'),
    event({ type: 'response.completed', response: { output: [thought, message, ...called, custom] } } as never),
  ];
}

/** Puts the deltas of a stream together, by what they continue, and keeps everything else. */
export function joinedDeltas(stream: string): Record<string, string> {
  const joined: Record<string, string> = {};
  const add = (name: string, text: unknown) => {
    joined[name] = (joined[name] ?? '') + String(text ?? '');
  };
  for (const raw of stream.split('\n\n')) {
    const data = /^data: (.*)$/m.exec(raw)?.[1];
    if (data === undefined || data === '[DONE]') continue;
    const { type, index, delta, output_index, choices, ...others } = JSON.parse(data);
    if (type === 'content_block_delta') add(`${index} ${delta.type}`, Object.values(delta)[1]);
    else if (type?.endsWith('.delta')) add(`${output_index} ${type}`, delta);
    else if (choices !== undefined) {
      const { content, reasoning_content: thought, tool_calls: calls = [] } = choices[0].delta;
      add('content', content);
      add('thought', thought);
      for (const call of calls) add(`call ${call.index}`, call.function?.arguments ?? call.custom?.input);
    } else add(`whole ${type} ${index ?? output_index}`, JSON.stringify(others));
  }
  return joined;
}
