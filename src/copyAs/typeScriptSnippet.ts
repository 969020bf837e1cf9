import { literal, quoted, TYPESCRIPT } from './literal.ts';
import { writeProgram } from './program.ts';
import { KEY_VARIABLE, plainHeaders, type SnippetPath, type SnippetRequest, sdkOptions } from './snippetRequest.ts';

interface SdkCall {
  readonly method: string;
  /** Prints the text in an event of a stream. */
  readonly event: string;
  /** Prints the text of a complete answer. */
  readonly answer: string;
}

const CALLS: Readonly<Record<SnippetPath, SdkCall>> = {
  '/chat/completions': {
    method: 'chat.completions.create',
    event: 'process.stdout.write(event.choices[0]?.delta?.content ?? "");',
    answer: 'console.log(answer.choices[0]?.message.content);',
  },
  '/responses': {
    method: 'responses.create',
    event: 'if (event.type === "response.output_text.delta") process.stdout.write(event.delta);',
    answer: 'console.log(answer.output_text);',
  },
  '/messages': {
    method: 'messages.create',
    event:
      'if (event.type === "content_block_delta" && event.delta.type === "text_delta") process.stdout.write(event.delta.text);',
    answer: 'for (const block of answer.content) if (block.type === "text") console.log(block.text);',
  },
  '/messages/count_tokens': {
    method: 'messages.countTokens',
    event: '',
    answer: 'console.log(answer.input_tokens);',
  },
};

/** Tool calls are not text, so the whole answer is printed. */
const WHOLE = { event: 'console.log(JSON.stringify(event));', answer: 'console.log(JSON.stringify(answer, null, 2));' };

/** A program for Node with the official SDK, or with `fetch` if the SDK cannot use the address. */
export function typeScriptSnippet(request: SnippetRequest): string {
  return writeProgram(request, { withSdk: sdkProgram, plain: fetchProgram });
}

function sdkProgram(request: SnippetRequest, address: string): string[] {
  const { path, body } = request;
  const isMessages = path.startsWith('/messages');
  const [sdk, name] = isMessages ? ['@anthropic-ai/sdk', 'Anthropic'] : ['openai', 'OpenAI'];
  const { method } = CALLS[path];
  const call = `await client.${method}(${literal(body, TYPESCRIPT)});`;
  return [
    `// npm install ${sdk}`,
    `import ${name} from "${sdk}";`,
    '',
    ...readKey(),
    '',
    `const client = new ${name}({`,
    `  baseURL: ${quoted(address)},`,
    ...(isMessages ? ['  apiKey: null,', '  authToken: apiKey,'] : ['  apiKey,']),
    ...options(request),
    '});',
    '',
    ...(body.stream === true
      ? [`const stream = ${call}`, `for await (const event of stream) {`, `  ${printing(request).event}`, '}']
      : [`const answer = ${call}`, printing(request).answer]),
  ];
}

function options(request: SnippetRequest): string[] {
  const { headers, timeoutSeconds } = sdkOptions(request);
  return [
    ...(headers === undefined ? [] : [`  defaultHeaders: ${literal(headers, TYPESCRIPT, 1)},`]),
    ...(timeoutSeconds === undefined ? [] : [`  timeout: ${timeoutSeconds} * 1000,`]),
  ];
}

function fetchProgram(request: SnippetRequest): string[] {
  const { baseAddress, path, body } = request;
  return [
    ...readKey(),
    '',
    `const response = await fetch(${quoted(baseAddress + path)}, {`,
    '  method: "POST",',
    '  headers: {',
    '    Authorization: "Bearer " + apiKey,',
    ...plainHeaders(request).map(([name, value]) => `    ${quoted(name)}: ${quoted(value)},`),
    '  },',
    `  body: JSON.stringify(${literal(body, TYPESCRIPT, 1)}),`,
    '});',
    'if (!response.ok || response.body === null) throw new Error(response.status + " " + (await response.text()));',
    'for await (const text of response.body.pipeThrough(new TextDecoderStream())) process.stdout.write(text);',
  ];
}

/** Without an explicit key, an SDK would use another service's key from the environment. */
function readKey(): string[] {
  return [`const apiKey = process.env.${KEY_VARIABLE};`, `if (!apiKey) throw new Error("${KEY_VARIABLE} is not set");`];
}

function printing({ path, body }: SnippetRequest): Pick<SdkCall, 'event' | 'answer'> {
  return 'tools' in body && path !== '/messages/count_tokens' ? WHOLE : CALLS[path];
}
