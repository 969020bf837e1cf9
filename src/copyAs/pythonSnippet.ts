import type { JsonObject } from '../formats/json.ts';
import { literal, PYTHON, quoted } from './literal.ts';
import { writeProgram } from './program.ts';
import { KEY_VARIABLE, plainHeaders, type SnippetPath, type SnippetRequest, sdkOptions } from './snippetRequest.ts';

interface SdkCall {
  readonly method: string;
  /** The parameters that every version of the SDK accepts by name. The others are passed in `extra_body`. */
  readonly named: readonly string[];
  /** Prints the text in an event of a stream. */
  readonly event: readonly string[];
  /** Prints the text of a complete answer. */
  readonly answer: readonly string[];
}

const CALLS: Readonly<Record<SnippetPath, SdkCall>> = {
  '/chat/completions': {
    method: 'chat.completions.create',
    named: [
      'model',
      'messages',
      'max_tokens',
      'max_completion_tokens',
      'temperature',
      'top_p',
      'stop',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'reasoning_effort',
      'response_format',
      'stream',
      'stream_options',
    ],
    event: ['if event.choices:', '    print(event.choices[0].delta.content or "", end="", flush=True)'],
    answer: ['print(answer.choices[0].message.content)'],
  },
  '/responses': {
    method: 'responses.create',
    named: [
      'model',
      'instructions',
      'input',
      'max_output_tokens',
      'temperature',
      'top_p',
      'tools',
      'tool_choice',
      'parallel_tool_calls',
      'reasoning',
      'text',
      'include',
      'store',
      'stream',
    ],
    event: ['if event.type == "response.output_text.delta":', '    print(event.delta, end="", flush=True)'],
    answer: ['print(answer.output_text)'],
  },
  '/messages': {
    method: 'messages.create',
    named: [
      'model',
      'max_tokens',
      'system',
      'messages',
      'stop_sequences',
      'tools',
      'tool_choice',
      'thinking',
      'metadata',
      'stream',
    ],
    event: [
      'if event.type == "content_block_delta" and event.delta.type == "text_delta":',
      '    print(event.delta.text, end="", flush=True)',
    ],
    answer: ['for block in answer.content:', '    if block.type == "text":', '        print(block.text)'],
  },
  '/messages/count_tokens': {
    method: 'messages.count_tokens',
    named: ['model', 'system', 'messages', 'tools', 'tool_choice', 'thinking'],
    event: [],
    answer: ['print(answer.input_tokens)'],
  },
};

/** Tool calls are not text, so the whole answer is printed. */
const WHOLE = { event: ['print(event.model_dump_json())'], answer: ['print(answer.model_dump_json(indent=2))'] };

/** A program with the official SDK, or with Python's own HTTP client if the SDK cannot use the address. */
export function pythonSnippet(request: SnippetRequest): string {
  return writeProgram(request, { withSdk: sdkProgram, plain: plainProgram });
}

function sdkProgram(request: SnippetRequest, address: string): string[] {
  const { path, body } = request;
  const isMessages = path.startsWith('/messages');
  const [sdk, name] = isMessages ? ['anthropic', 'Anthropic'] : ['openai', 'OpenAI'];
  const { event, answer } = printing(request);
  const call = [`client.${CALLS[path].method}(`, ...callArguments(path, body), ')'];
  return [
    `# pip install ${sdk}`,
    'import os',
    '',
    `from ${sdk} import ${name}`,
    '',
    `client = ${name}(`,
    `    base_url=${quoted(address)},`,
    `    ${isMessages ? 'auth_token' : 'api_key'}=os.environ["${KEY_VARIABLE}"],`,
    ...options(request),
    ')',
    '',
    ...(body.stream === true
      ? [`stream = ${call.join('\n')}`, 'for event in stream:', ...event.map((line) => `    ${line}`)]
      : [`answer = ${call.join('\n')}`, ...answer]),
  ];
}

function options(request: SnippetRequest): string[] {
  const { headers, timeoutSeconds } = sdkOptions(request);
  return [
    ...(headers === undefined ? [] : [`    default_headers=${literal(headers, PYTHON, 1)},`]),
    ...(timeoutSeconds === undefined ? [] : [`    timeout=${timeoutSeconds},`]),
  ];
}

function callArguments(path: SnippetPath, body: JsonObject): string[] {
  const { named } = CALLS[path];
  const members = Object.entries(body);
  const others = Object.fromEntries(members.filter(([name]) => !named.includes(name)));
  const byName = members.filter(([name]) => named.includes(name));
  return [
    ...byName.map(([name, value]) => `    ${name}=${literal(value, PYTHON, 1)},`),
    ...(Object.keys(others).length === 0 ? [] : [`    extra_body=${literal(others, PYTHON, 1)},`]),
  ];
}

function plainProgram(request: SnippetRequest): string[] {
  const { baseAddress, path, body } = request;
  return [
    'import json',
    'import os',
    'import urllib.request',
    '',
    'request = urllib.request.Request(',
    `    ${quoted(baseAddress + path)},`,
    `    data=json.dumps(${literal(body, PYTHON, 1)}).encode(),`,
    '    headers={',
    `        "Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"],`,
    ...plainHeaders(request).map(([name, value]) => `        ${quoted(name)}: ${quoted(value)},`),
    '    },',
    ')',
    'with urllib.request.urlopen(request) as response:',
    '    for line in response:',
    '        print(line.decode(), end="", flush=True)',
  ];
}

function printing({ path, body }: SnippetRequest): Pick<SdkCall, 'event' | 'answer'> {
  return 'tools' in body && path !== '/messages/count_tokens' ? WHOLE : CALLS[path];
}
