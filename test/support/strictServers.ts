/** What strict servers refuse of chat-completions requests, and how they say it. */

// biome-ignore lint/suspicious/noExplicitAny: bodies of any form are checked
type Json = any;

export interface StrictAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Returns the refusal of a body, or undefined if the server accepts it. */
type Strictness = (body: Json) => StrictAnswer | undefined;

export interface StrictServer {
  readonly name: string;
  readonly model: string;
  readonly refuse: Strictness;
  /** Whether its answers begin with reasoning, which it demands back. */
  readonly reasons?: true;
}

const openAi = (message: string, status = 400): StrictAnswer => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
});
const first =
  (...rules: readonly Strictness[]): Strictness =>
  (body) =>
    rules.map((rule) => rule(body)).find((refused) => refused !== undefined);
const when =
  (isRefused: (body: Json) => boolean, answer: StrictAnswer): Strictness =>
  (body) =>
    isRefused(body) ? answer : undefined;

const isSystemLate = ({ messages }: Json) => messages.some(({ role }: Json, at: number) => role === 'system' && at > 0);
const knowsEffort =
  (...known: readonly string[]) =>
  ({ reasoning_effort: effort }: Json) =>
    effort !== undefined && !known.includes(effort);
const schemasOf = ({ tools = [] }: Json): Json[] => tools.map(({ function: { parameters } }: Json) => parameters);

function someSchema(schema: Json, is: (schema: Json, isTop: boolean) => boolean, isTop = true): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? []), schema.items];
  return is(schema, isTop) || inner.some((each) => someSchema(each, is, false));
}

const has = (schema: Json, ...keywords: readonly string[]) => keywords.some((keyword) => schema[keyword] !== undefined);

const vllm = first(
  when(isSystemLate, {
    status: 400,
    body: { object: 'error', message: 'System message must be at the beginning.', type: 'BadRequestError', code: 400 },
  }),
  when(knowsEffort('low', 'medium', 'high'), {
    status: 400,
    body: {
      object: 'error',
      message:
        "[{'type': 'literal_error', 'loc': ('body', 'reasoning_effort'), 'msg': \"Input should be 'low', 'medium' or 'high'\", 'input': 'xhigh'}]",
      type: 'BadRequestError',
      code: 400,
    },
  }),
  when(
    ({ max_tokens: limit }) => limit > 31_000,
    openAi(
      "'max_tokens' or 'max_completion_tokens' is too large: 32000. This model's maximum context length is 32768 tokens and your request has 1768 input tokens (32000 > 32768 - 1768).",
    ),
  ),
);

const llamaCpp = first(
  when(isSystemLate, {
    status: 500,
    body: {
      error: { code: 500, message: 'Jinja Exception: System message must be at the beginning.', type: 'server_error' },
    },
  }),
  when((body) => schemasOf(body).some((schema) => someSchema(schema, (each) => has(each, 'pattern', '$ref'))), {
    status: 400,
    body: {
      error: {
        code: 400,
        message: 'Failed to initialize samplers: failed to parse grammar',
        type: 'invalid_request_error',
      },
    },
  }),
  when(
    (body) => (body.tools ?? []).some(({ type }: Json) => type !== 'function'),
    openAi("'type' of tool must be 'function'"),
  ),
);

const kimi = first(
  when(
    (body) =>
      schemasOf(body).some((schema) =>
        someSchema(
          schema,
          (each) => has(each, '$ref') || (has(each, 'anyOf') && has(each, 'type')) || !has(each, 'type', 'anyOf'),
        ),
      ),
    openAi(
      "tools.function.parameters is not a valid moonshot flavored json schema, details: <At path 'properties.place': when using $ref, type should be defined in the referenced schema instead of the parent schema>",
    ),
  ),
  when(
    (body) => (body.tools ?? []).some(({ function: { name } }: Json) => !/^[a-z]/i.test(name)),
    openAi(
      'Invalid request: function name is invalid, must start with a letter and can contain letters, numbers, underscores, and dashes',
    ),
  ),
  when(knowsEffort('low', 'medium', 'high'), openAi('Invalid request: Unexpected reasoning effort xhigh')),
);

const deepSeek = first(
  when(
    ({ messages }) => messages.some(({ role }: Json) => role === 'developer'),
    openAi('Failed to deserialize the JSON body into the target type: messages[1].role: unknown variant `developer`'),
  ),
  when(
    knowsEffort('low', 'high', 'max'),
    openAi(
      'Failed to deserialize the JSON body into the target type: reasoning_effort: unknown variant `xhigh`, expected one of `low`, `high`, `max` at line 1 column 90',
    ),
  ),
  when(
    ({ messages }) => messages.some(({ tool_calls: calls, reasoning_content: text }: Json) => calls && !text),
    openAi('The `reasoning_content` in the thinking mode must be passed back to the API.'),
  ),
  when(
    ({ max_tokens: limit }) => limit > 8192,
    openAi('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'),
  ),
);

const qwen = first(
  when(
    isSystemLate,
    openAi('<400> InternalError.Algo.InvalidParameter: The role of system must appear first in messages.'),
  ),
  when(
    ({ max_tokens: limit }) => limit > 16_384,
    openAi('<400> InternalError.Algo.InvalidParameter: Range of max_tokens should be [1, 16384]'),
  ),
  when(
    ({ tool_choice: choice }) => choice === 'required',
    openAi('The tool_choice parameter does not support being set to required or object in thinking mode'),
  ),
);

const UNKNOWN_TO_MISTRAL = [
  'prompt_cache_key',
  'user',
  'store',
  'verbosity',
  'service_tier',
  'metadata',
  'reasoning_effort',
];

const mistral = first(
  (body) => {
    const names = UNKNOWN_TO_MISTRAL.filter((name) => body[name] !== undefined);
    const detail = names.map((name) => ({
      type: 'extra_forbidden',
      loc: ['body', name],
      msg: 'Extra inputs are not permitted',
      input: body[name],
    }));
    return names.length === 0
      ? undefined
      : { status: 422, body: { object: 'error', message: { detail }, type: 'invalid_request_error' } };
  },
  when(
    ({ messages }) => messages.some(({ tool_call_id: id }: Json) => id !== undefined && !/^[A-Za-z0-9]{9}$/.test(id)),
    {
      status: 400,
      body: {
        object: 'error',
        message: 'Tool call id was toolu_1 but must be a-z, A-Z, 0-9, with a length of 9.',
        type: 'invalid_function_call',
      },
    },
  ),
  when(
    ({ messages }) =>
      messages.some(({ role }: Json, at: number) => role === 'user' && messages[at - 1]?.role === 'tool'),
    {
      status: 400,
      body: {
        object: 'error',
        message: "Unexpected role 'user' after role 'tool'",
        type: 'invalid_request_message_order',
      },
    },
  ),
);

const gemini = first(
  (body) => {
    const name = ['prompt_cache_key', 'store', 'user', 'verbosity'].find((each) => body[each] !== undefined);
    const message = `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;
    return name === undefined
      ? undefined
      : { status: 400, body: [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }] };
  },
  when(
    (body) =>
      schemasOf(body).some((schema) =>
        someSchema(schema, (each) =>
          has(each, '$ref', '$defs', '$schema', 'const', 'additionalProperties', 'exclusiveMinimum'),
        ),
      ),
    {
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message:
              'Invalid JSON payload received. Unknown name "$ref" at \'tools[0].function_declarations[0].parameters.properties[0].value\': Cannot find field.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    },
  ),
  when(
    ({ messages }) =>
      messages.some(({ tool_calls: calls }: Json) => calls && !calls[0].extra_content?.google?.thought_signature),
    {
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message: 'Function call is missing a thought_signature in functionCall parts.',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    },
  ),
);

export const STRICT_SERVERS: readonly StrictServer[] = [
  { name: 'vLLM', model: 'qwen3-coder', refuse: vllm },
  { name: 'llama.cpp', model: 'qwen3.5', refuse: llamaCpp },
  { name: 'Kimi', model: 'kimi-k3', refuse: kimi },
  { name: 'DeepSeek', model: 'deepseek-v4', refuse: deepSeek, reasons: true },
  { name: 'Qwen', model: 'qwen3.8-max', refuse: qwen },
  { name: 'Mistral', model: 'mistral-large', refuse: mistral },
  { name: "Gemini's compatible address", model: 'gemini-3-pro', refuse: gemini },
];
