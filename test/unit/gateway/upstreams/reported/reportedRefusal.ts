/**
 * Refusals that users of other products have reported in public, in the words of the servers, and what these servers
 * accept. `test/field/README.md` has the sources.
 */
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import type { Json } from '../pickyServer.ts';

export interface ReportedRefusal {
  /** The repository and number of the report. */
  readonly source: string;
  readonly caller: FormatName;
  readonly upstream: FormatName;
  readonly body: object;
  readonly status?: number;
  /** The error as the server sends it. */
  readonly answer: unknown;
  /** Whether the server refuses a body. */
  readonly refuses: (body: Json) => boolean;
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
export const user = (content: unknown = 'Hi') => ({ role: 'user', content });
export const M = { max_tokens: 500, messages: [user()] };
export const C = { messages: [user()] };
export const R = { input: 'Hi' };
export const tool = (schema: object, name = 'run') => ({ ...M, tools: [{ name, input_schema: schema }] });
export const codexTool = (parameters: object, more: object = {}) => ({
  ...R,
  tools: [{ type: 'function', name: 'run', parameters, ...more }],
});
export const CALLED = {
  ...M,
  messages: [
    user(),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'run', input: {} }] },
    user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Done.' }]),
    user('Go on.'),
  ],
  tools: [{ name: 'run', input_schema: { type: 'object' } }],
};
export const LATE_SYSTEM = {
  ...M,
  system: 'Be brief.',
  messages: [user(), { role: 'system', content: 'It is late.' }],
};
export const IMAGE_RESULT = {
  messages: [
    user(),
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: '{}' } }],
    },
    {
      role: 'tool',
      tool_call_id: 'call_1',
      content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }],
    },
  ],
  tools: [{ type: 'function', function: { name: 'run', parameters: { type: 'object' } } }],
};

export const error = (message: string, more: object = {}) => ({
  error: { message, type: 'invalid_request_error', ...more },
});
export const has = (name: string) => (body: Json) => body[name] !== undefined;
export const hasWord = (word: string) => (body: Json) => JSON.stringify(body.tools ?? []).includes(`"${word}"`);
export const isLate = ({ messages }: Json) =>
  messages.some(({ role }: Json, at: number) => role === 'system' && at > 0);
export const parametersOf = ({ tools }: Json) =>
  tools[0].function?.parameters ?? tools[0].parameters ?? tools[0].input_schema;
export const violates = ({ messages }: Json) => {
  const counted = messages.filter(
    ({ role, tool_calls: calls }: Json) => role === 'user' || (role === 'assistant' && !calls),
  );
  return counted.some(({ role }: Json, at: number) => (role === 'user') !== (at % 2 === 0));
};
export const ENUM = { type: 'object', properties: { priority: { type: 'string', enum: [1, 2, 3] } } };
export const REFERRED = {
  type: 'object',
  properties: { value: { type: 'object', $ref: '#/$defs/value' } },
  $defs: { value: { type: 'object', properties: { a: { type: 'string' } } } },
};
export const FORMAT = {
  response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
};
export const FORMAT_M = {
  output_config: { format: { type: 'json_schema', schema: { type: 'object', properties: {} } } },
};
export const gemini = (message: string) => [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }];

export function reported(
  source: string,
  [caller, upstream]: readonly [FormatName, FormatName],
  body: object,
  answer: unknown,
  refuses: ReportedRefusal['refuses'],
  status?: number,
): ReportedRefusal {
  return { source, caller, upstream, body, answer, refuses, ...(status !== undefined && { status }) };
}

export const MC = ['messages', 'chat-completions'] as const;
export const RC = ['responses', 'chat-completions'] as const;
export const CM = ['chat-completions', 'messages'] as const;
export const CR = ['chat-completions', 'responses'] as const;
export const MR = ['messages', 'responses'] as const;
export const RM = ['responses', 'messages'] as const;

export const rolesOf = (messages: Json): string[] => messages.map(({ role }: Json) => role);
