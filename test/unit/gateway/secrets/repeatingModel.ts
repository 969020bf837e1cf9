/** Models that repeat what they were told, so that the stand-ins they were given come back. */
import type { FormatName } from '../../../../src/formats/conversation.ts';
import type { AskedRequest, Manners, Answer as Scripted } from '../../../support/modelServer/modelServer.ts';

const MARK = /<<([\s\S]*?)>>/g;

/** Marks what a model repeats. */
export function repeated(text: string): string {
  return `<<${text}>>`;
}

/** Returns the marked texts of the last message. */
function toldIn({ body }: AskedRequest): string[] {
  const last = (body.messages ?? body.input).at(-1);
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) collect(each);
  };
  collect(last);
  return texts.flatMap((text) => [...text.matchAll(MARK)].map(([, told = '']) => told));
}

/** A model that repeats each marked text in its reasoning, its text, and the arguments of a call. */
export function repeating(manners: Manners = {}) {
  return (request: AskedRequest): Scripted => {
    const told = toldIn(request).join(' and ');
    return {
      parts: [
        { reasoning: `thinking of ${told}` },
        { text: `It was ${told}.` },
        { call: 'call_1', name: 'run', arguments: JSON.stringify({ command: `use ${told}`, again: [told] }) },
      ],
      ...manners,
    };
  };
}

export const PATHS = {
  'chat-completions': '/api/v1/chat/completions',
  messages: '/api/v1/messages',
  responses: '/api/v1/responses',
} as const satisfies Record<FormatName, string>;

const TOOL = { name: 'run', description: 'Runs a command' };
const PARAMETERS = { type: 'object', properties: { command: { type: 'string' } } };

/** Returns a request that tells the model a text, with another one in a result before it. */
export function requestOf(format: FormatName, told: string, found: string, stream: boolean): object {
  const args = { command: `cat ${found.slice(0, 5)}` };
  const common = { model: 'm', stream };
  switch (format) {
    case 'chat-completions':
      return {
        ...common,
        messages: [
          { role: 'user', content: 'begin' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'run', arguments: JSON.stringify(args) } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: found },
          { role: 'user', content: told },
        ],
        tools: [{ type: 'function', function: { ...TOOL, parameters: PARAMETERS } }],
      };
    case 'messages':
      return {
        ...common,
        max_tokens: 4096,
        messages: [
          { role: 'user', content: 'begin' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'run', input: args }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: found }] },
          { role: 'user', content: [{ type: 'text', text: told }] },
        ],
        tools: [{ ...TOOL, input_schema: PARAMETERS }],
      };
    case 'responses':
      return {
        ...common,
        input: [
          { type: 'message', role: 'user', content: 'begin' },
          { type: 'function_call', call_id: 'c1', name: 'run', arguments: JSON.stringify(args) },
          { type: 'function_call_output', call_id: 'c1', output: found },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: told }] },
        ],
        tools: [{ type: 'function', ...TOOL, parameters: PARAMETERS }],
      };
  }
}

/** Puts the texts of an answer together: its text, its reasoning, and the arguments of its call. */
export function saidIn(format: FormatName, body: string, isStream: boolean): string[] {
  const pieces = new Map<string, string>();
  const add = (name: string, piece: unknown) => {
    if (typeof piece === 'string') pieces.set(name, (pieces.get(name) ?? '') + piece);
  };
  const values = isStream
    ? [...body.matchAll(/^data: ?(\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
    : [JSON.parse(body)];
  for (const value of values) {
    if (format === 'chat-completions') {
      for (const { delta, message } of value.choices) {
        const said = delta ?? message;
        add('text', said.content);
        add('reasoning', said.reasoning_content ?? said.reasoning);
        for (const call of said.tool_calls ?? []) add('call', call.function.arguments);
      }
    } else if (format === 'messages') {
      const { delta, content = [] } = value;
      for (const each of [delta ?? {}, ...content]) {
        add('text', each.text);
        add('reasoning', each.thinking);
        add('call', each.partial_json ?? (each.type === 'tool_use' ? JSON.stringify(each.input) : undefined));
      }
    } else {
      const output = isStream ? (value.type === 'response.completed' ? value.response.output : []) : value.output;
      for (const item of output) {
        for (const part of item.content ?? []) add('text', part.text);
        for (const part of item.summary ?? []) add('reasoning', part.text);
        add('call', item.arguments);
      }
      if (value.type === 'response.output_text.delta') add('text in deltas', value.delta);
      if (value.type === 'response.function_call_arguments.delta') add('call in deltas', value.delta);
    }
  }
  return [...pieces].map(([name, text]) => `${name}: ${text}`).sort();
}
