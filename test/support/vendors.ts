/** Servers of chat completions that differ from the documented ones as those of well-known vendors do. */
import type { Answer } from './modelServer/modelServer.ts';

type Json = Record<string, unknown>;
export interface Asked extends Json {
  readonly messages: readonly (Json & { role: string; tool_calls?: readonly Json[] })[];
  readonly stream?: boolean;
}

/** How a vendor's server of chat completions differs from the documented ones. The answers are scripted. */
export interface Vendor {
  readonly name: string;
  /** The reasoning of an answer, under the vendor's name for it. */
  readonly reasoning: Json;
  /** Members of each call, beside the usual ones. */
  readonly ofCall?: (nth: number) => Json;
  /** Changes the pieces of a streamed answer with calls. */
  readonly callDeltas?: (calls: readonly Json[]) => readonly Json[];
  readonly callReason?: unknown;
  /** Returns what the server refuses in a request. */
  readonly refuse: (asked: Asked) => Answer | undefined;
}

/** The messages since the last one of the user. */
function turnOf({ messages }: Asked) {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
}

function assistants(asked: Asked) {
  return asked.messages.map((message, at) => ({ message, at })).filter(({ message }) => message.role === 'assistant');
}

const refusal = (status: number, body: unknown): Answer => ({ status, body });
const SHORT_ID = /^[A-Za-z0-9]{9}$/;

export const VENDORS: readonly Vendor[] = [
  {
    name: 'DeepSeek, which needs the reasoning of a turn with calls',
    reasoning: { reasoning_content: 'Two cities.' },
    refuse: (asked) => {
      const bare = turnOf(asked).find(({ role, reasoning_content: text }) => role === 'assistant' && !text);
      const message = 'The `reasoning_content` in the thinking mode must be passed back to the API.';
      return bare && refusal(400, { error: { message, type: 'invalid_request_error', param: null, code: null } });
    },
  },
  {
    name: 'Gemini, which needs its signatures on calls',
    reasoning: {},
    ofCall: (nth) => (nth === 0 ? { extra_content: { google: { thought_signature: 'SIGNATURE' } } } : {}),
    refuse: (asked) => {
      const calls = turnOf(asked).flatMap(({ tool_calls: all }) => (all ?? []).slice(0, 1));
      const message = 'Function call is missing a thought_signature in functionCall parts.';
      const isBare = calls.some(({ extra_content: extra }) => !JSON.stringify(extra ?? {}).includes('SIGNATURE'));
      return isBare ? refusal(400, [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }]) : undefined;
    },
  },
  {
    name: 'Mistral, which refuses unknown members and other IDs',
    reasoning: {},
    refuse: (asked) => {
      const extra = (loc: readonly unknown[]) =>
        refusal(422, { detail: [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted', input: 1 }] });
      for (const name of ['prompt_cache_key', 'store', 'verbosity']) if (name in asked) return extra(['body', name]);
      const reasoned = assistants(asked).find(({ message }) => 'reasoning_content' in message);
      if (reasoned) return extra(['body', 'messages', reasoned.at, 'assistant', 'reasoning_content']);
      const ids = asked.messages.flatMap(({ tool_calls: calls, tool_call_id: id }) => [
        ...(calls ?? []).map((call) => String(call.id)),
        ...(id === undefined ? [] : [String(id)]),
      ]);
      const wrong = ids.find((id) => !SHORT_ID.test(id));
      const message = `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`;
      return wrong === undefined
        ? undefined
        : refusal(400, { object: 'error', message, type: 'invalid_request_error' });
    },
  },
  {
    name: 'Groq, which sends `reasoning` and refuses `reasoning_content`',
    reasoning: { reasoning: 'Two cities.' },
    refuse: (asked) => {
      const found = assistants(asked).find(({ message }) => 'reasoning_content' in message);
      if (found === undefined) return undefined;
      const where = `messages.${found.at}`;
      const message = `'${where}' : for 'role:assistant' the following must be satisfied[('${where}' : property 'reasoning_content' is unsupported)]`;
      return refusal(400, { error: { message, type: 'invalid_request_error' } });
    },
  },
  {
    name: 'a reasoning model, which refuses `max_tokens`',
    reasoning: {},
    refuse: (asked) => {
      if (!('max_tokens' in asked)) return undefined;
      const message =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
      return refusal(400, {
        error: { message, type: 'invalid_request_error', param: 'max_tokens', code: 'unsupported_parameter' },
      });
    },
  },
  {
    name: 'a local server that numbers nothing and ends calls with `stop`',
    reasoning: { reasoning: 'Two cities.' },
    callDeltas: (calls) => [{ tool_calls: calls.map(({ index: _, ...call }) => call) }],
    callReason: 'stop',
    refuse: () => undefined,
  },
  {
    name: 'a server with numbers as IDs and arguments as objects',
    reasoning: { reasoning_content: 'Two cities.' },
    ofCall: (nth) => ({ id: 70 + nth }),
    callReason: { type: 'tool_calls' },
    refuse: () => undefined,
  },
];

/** What a model says: a text, or calls. */
export interface VendorSays {
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
}

/** Returns a vendor's answer, streamed or whole as requested, or its refusal. */
export function vendorAnswer(vendor: Vendor, asked: Asked, { text, calls: said = [] }: VendorSays): Answer {
  const refused = vendor.refuse(asked);
  if (refused !== undefined) return refused;
  const content = text ?? null;
  const calls = said.map(({ id, ...call }, nth) => {
    return { index: nth, id, type: 'function', function: call, ...vendor.ofCall?.(nth) };
  });
  const reason = calls.length > 0 ? (vendor.callReason ?? 'tool_calls') : 'stop';
  const head = { id: 'c', created: 1, model: 'some-model' };
  const usage = { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 };
  if (asked.stream !== true) {
    const message = { role: 'assistant', content, ...vendor.reasoning, ...(calls.length > 0 && { tool_calls: calls }) };
    const choices = [{ index: 0, message, finish_reason: reason }];
    return { status: 200, body: { ...head, object: 'chat.completion', choices, usage } };
  }
  const chunk = (delta: Json, finish_reason: unknown = null) => ({ choices: [{ index: 0, delta, finish_reason }] });
  const deltas = vendor.callDeltas?.(calls) ?? calls.map((call) => ({ tool_calls: [call] }));
  const events = [
    chunk({ role: 'assistant', content: '' }),
    ...(Object.keys(vendor.reasoning).length > 0 ? [chunk(vendor.reasoning)] : []),
    ...(calls.length > 0 ? deltas.map((delta) => chunk(delta)) : [chunk({ content })]),
    chunk({}, reason),
    { choices: [], usage },
  ].map((event) => `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', ...event })}\n\n`);
  return { stream: [...events, 'data: [DONE]\n\n'].join('') };
}
