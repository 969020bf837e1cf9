/** Roles, orders, and contents of messages that servers refuse. */
import type { Json } from '../pickyServer.ts';
import {
  C,
  CALLED,
  CM,
  error,
  FORMAT,
  has,
  IMAGE_RESULT,
  isLate,
  LATE_SYSTEM,
  M,
  MC,
  R,
  RC,
  type ReportedRefusal,
  reported,
  rolesOf,
  user,
  violates,
} from './reportedRefusal.ts';

export const CONVERSATIONS: readonly ReportedRefusal[] = [
  reported(
    'QuantumNous/new-api#5407',
    MC,
    LATE_SYSTEM,
    error('System message must be at the beginning. (request id: 2026061307)'),
    isLate,
  ),
  reported(
    'QuantumNous/new-api#7307',
    MC,
    LATE_SYSTEM,
    error('<400> InternalError.Algo.InvalidParameter: The role of system must appear first in messages.'),
    isLate,
  ),
  reported(
    'ggml-org/llama.cpp#27107',
    MC,
    LATE_SYSTEM,
    error(
      "Unable to generate parser for this template. Automatic parser generation failed: raise_exception('System message must be at the beginning.",
    ),
    isLate,
  ),
  reported(
    'Mangi-11/Eta#59',
    MC,
    LATE_SYSTEM,
    {
      error: { code: 500, message: 'Jinja Exception: System message must be at the beginning.', type: 'server_error' },
    },
    isLate,
    500,
  ),
  reported(
    'sipeed/picoclaw#207',
    MC,
    CALLED,
    {
      error: {
        code: 500,
        message:
          'While executing CallExpression at line 47, column 32 in source:\nError: Jinja Exception: After the optional system message, conversation roles must alternate user and assistant roles except for tool calls and results.',
        type: 'server_error',
      },
    },
    violates,
    500,
  ),
  reported(
    'idiap/sdialog#122',
    MC,
    CALLED,
    {
      error: {
        code: 500,
        message: 'Jinja Exception: Conversation roles must alternate user/assistant/user/assistant/...',
        type: 'server_error',
      },
    },
    violates,
    500,
  ),
  reported(
    'musistudio/claude-code-router#1050',
    MC,
    CALLED,
    error(
      'Missing `reasoning_content` field in the assistant message at message index 2. For more information, please refer to https://api-docs.deepseek.com/guides/thinking_mode#tool-calls',
    ),
    ({ messages }) => messages.some((each: Json) => each.tool_calls && each.reasoning_content === undefined),
  ),
  reported(
    'router-for-me/CLIProxyAPI#2999',
    RC,
    {
      input: [
        { role: 'user', content: 'Hi' },
        { type: 'function_call', call_id: 'c', name: 'run', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c', output: 'Done.' },
      ],
      tools: [{ type: 'function', name: 'run', parameters: { type: 'object' } }],
    },
    error('The `reasoning_content` in the thinking mode must be passed back to the API.'),
    ({ messages }) => messages.some((each: Json) => each.tool_calls && !each.reasoning_content),
  ),
  reported(
    'earendil-works/pi#4514',
    MC,
    {
      ...M,
      messages: [
        user(),
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Hm.', signature: '' },
            { type: 'text', text: 'Yes' },
          ],
        },
        user(),
      ],
    },
    error("Error from provider: Extra inputs are not permitted, field: 'messages[1].reasoning_content', value: 'Hm.'"),
    ({ messages }) => messages.some((each: Json) => each.reasoning_content !== undefined),
  ),
  reported(
    'OpenHands/OpenHands#4643',
    MC,
    {
      ...M,
      system: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ],
    },
    error(
      "'messages.0' : for 'role:system' the following must be satisfied[('messages.0.content' : value must be a string)]",
    ),
    ({ messages }) => messages.some(({ content }: Json) => Array.isArray(content)),
  ),
  reported(
    'QuantumNous/new-api#4446',
    CM,
    {
      messages: [
        {
          role: 'system',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        user(),
      ],
    },
    {
      type: 'error',
      error: {
        type: 'invalid_request',
        message:
          '..System: ReadString: expects " or n, but found [, error found in #10 byte of ...|"system":[{"type":"t|...',
      },
    },
    ({ system }) => Array.isArray(system),
  ),
  reported(
    'ollama/ollama#18055',
    CM,
    IMAGE_RESULT,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Input should be a valid string (ref: a9065c14)' },
    },
    ({ messages }) =>
      JSON.stringify(
        messages.map(({ content }: Json) =>
          Array.isArray(content) ? content.filter(({ type }: Json) => type === 'tool_result') : [],
        ),
      ).includes('image'),
  ),
  reported(
    'lmstudio-ai/localization#425',
    CM,
    IMAGE_RESULT,
    error('Only text tool_result blocks are supported when tool_result.content is an array.'),
    ({ messages }) =>
      JSON.stringify(
        messages.map(({ content }: Json) =>
          Array.isArray(content) ? content.filter(({ type }: Json) => type === 'tool_result') : [],
        ),
      ).includes('image'),
  ),
  reported('CommandCodeAI/command-code#850', CM, IMAGE_RESULT, error('Invalid input'), ({ messages }) =>
    JSON.stringify(
      messages.map(({ content }: Json) =>
        Array.isArray(content) ? content.filter(({ type }: Json) => type === 'tool_result') : [],
      ),
    ).includes('image'),
  ),
  reported(
    'BerriAI/litellm#16711',
    CM,
    {
      messages: [
        user(),
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'a', content: '2' },
      ],
    },
    error(
      'messages.2.content.1: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
    ),
    ({ messages }) =>
      messages.some(
        ({ content }: Json) =>
          Array.isArray(content) && content.filter(({ type }: Json) => type === 'tool_result').length > 1,
      ),
  ),
  reported(
    'BenedictKing/ccx#161',
    RC,
    {
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
      ],
    },
    error("developer is not one of ['system', 'assistant', 'user', 'tool', 'function'] - 'messages.['0].role'"),
    ({ messages }) => rolesOf(messages).includes('developer'),
  ),
  reported(
    'openai/codex#9612',
    ['chat-completions', 'responses'],
    { messages: [{ role: 'developer', content: 'a' }, user(), { role: 'developer', content: 'b' }] },
    { error: { code: '1214', message: 'Incorrect role information' } },
    ({ input }) =>
      rolesOf(input)
        .slice(1)
        .some((role) => role === 'system' || role === 'developer'),
  ),
  reported(
    'farion1231/cc-switch#7451',
    RC,
    {
      input: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'developer', content: 'It is late.' },
      ],
    },
    error('Failed to deserialize the JSON body into the target type: messages[1]: missing field `content`'),
    ({ messages }) => messages.some(({ content }: Json) => content === undefined || content === null),
  ),
  reported(
    'openai/codex#10635',
    RC,
    { ...R, tools: [{ type: 'custom', name: 'patch', format: { type: 'text' } }, { type: 'web_search' }] },
    { error: { code: 400, message: "'type' of tool must be 'function'", type: 'invalid_request_error' } },
    ({ tools }) => tools.some(({ type }: Json) => type !== 'function'),
  ),
  reported(
    'CommandCodeAI/command-code#885',
    ['chat-completions', 'responses'],
    { ...C, tools: [{ type: 'custom', custom: { name: 'patch' } }] },
    error('Only `type:"function"` tools are supported on this endpoint.', { param: 'tools.0.type' }),
    ({ tools }) => tools.some(({ type }: Json) => type !== 'function'),
  ),
  reported(
    'BerriAI/litellm#13609',
    CM,
    { ...C, ...FORMAT },
    error('The model returned the following errors: output_config: Extra inputs are not permitted'),
    has('output_config'),
  ),
];
