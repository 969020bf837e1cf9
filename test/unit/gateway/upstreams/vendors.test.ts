import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readServeConfig } from '../../../../packages/gateway/src/cli/config.ts';
import { Router } from '../../../../src/gateway/routing/router.ts';
import { createCompatible } from '../../../../src/gateway/upstreams/compatible.ts';
import { AUTHORIZED, send } from '../support/client.ts';
import { closeAll, closeLater, startGateway } from '../support/gateway.ts';
import { startService } from '../support/scriptedService.ts';

type Body = Record<string, unknown>;

/** The shape of a server's requests and errors, as its users have reported them. */
interface Vendor {
  readonly path: string;
  readonly model: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Returns the error for a member that the server refuses. */
  readonly refuse?: (body: Body) => readonly [status: number, error: object] | undefined;
  readonly check?: (body: Body) => void;
}

const refuse =
  (name: string, status: number, error: object): NonNullable<Vendor['refuse']> =>
  (body) =>
    Object.hasOwn(body, name) ? [status, error] : undefined;

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, 'api-key': undefined, 'x-api-key': undefined });

const VENDORS: Readonly<Record<string, Vendor>> = {
  azure: {
    path: '/openai/v1/responses?api-version=preview',
    model: 'gpt-5',
    headers: { 'api-key': 'value-of-AZURE_KEY', authorization: undefined },
    refuse: refuse('temperature', 400, {
      error: {
        message: "Unsupported parameter: 'temperature' is not supported with this model.",
        type: 'invalid_request_error',
        param: 'temperature',
        code: null,
      },
    }),
  },
  gemini: {
    path: '/v1beta/openai/chat/completions',
    model: 'gemini-3-pro',
    headers: bearer('value-of-GEMINI_KEY'),
    refuse: refuse('prompt_cache_key', 400, [
      {
        error: {
          code: 400,
          message: 'Invalid JSON payload received. Unknown name "prompt_cache_key": Cannot find field.',
          status: 'INVALID_ARGUMENT',
        },
      },
    ]),
  },
  deepseek: { path: '/v1/chat/completions', model: 'deepseek-reasoner', headers: bearer('value-of-DEEPSEEK_KEY') },
  mistral: {
    path: '/v1/chat/completions',
    model: 'mistral-large',
    headers: bearer('value-of-MISTRAL_KEY'),
    refuse: refuse('prompt_cache_key', 422, {
      object: 'error',
      message: {
        detail: [
          {
            type: 'extra_forbidden',
            loc: ['body', 'prompt_cache_key'],
            msg: 'Extra inputs are not permitted',
            input: 's',
          },
        ],
      },
      type: 'invalid_request_error',
      param: null,
      code: null,
      raw_status_code: 422,
    }),
  },
  groq: {
    path: '/openai/v1/chat/completions',
    model: 'openai/gpt-oss-120b',
    headers: { 'x-api-key': undefined },
    refuse: refuse('prompt_cache_key', 400, {
      error: { message: "property 'prompt_cache_key' is unsupported", type: 'invalid_request_error' },
    }),
  },
  vllm: {
    path: '/v1/chat/completions',
    model: 'deepseek-r1',
    headers: { authorization: undefined },
    refuse: refuse('prompt_cache_key', 400, {
      object: 'error',
      message:
        "[{'type': 'extra_forbidden', 'loc': ('body', 'prompt_cache_key'), 'msg': 'Extra inputs are not permitted'}]",
      type: 'BadRequestError',
      param: null,
      code: 400,
    }),
    check: (body) => assert.equal(body.repetition_penalty, 1.05),
  },
  llama: { path: '/v1/chat/completions', model: 'any', headers: { authorization: undefined } },
  ollama: {
    path: '/v1/chat/completions',
    model: 'llama3',
    headers: { authorization: undefined },
    check: (body) => assert.equal(body.parallel_tool_calls, undefined),
  },
  lmstudio: {
    path: '/v1/chat/completions',
    model: 'any',
    headers: { authorization: undefined, 'x-api-key': undefined },
  },
};

const COMPLETION = {
  id: 'a',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: '<think>Hm.</think>Yes' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const RESPONSE = {
  id: 'resp_a',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output: [
    {
      ...{ type: 'message', id: 'msg_a', role: 'assistant', status: 'completed' },
      content: [{ type: 'output_text', text: 'Yes', annotations: [] }],
    },
  ],
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
};

const PAGE = readFileSync(new URL('../../../../docs/upstreams.md', import.meta.url), 'utf8');
const EXAMPLES: readonly Body[] = [...PAGE.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json));

describe('the examples of upstreams in the documentation', () => {
  afterEach(closeAll);

  it('are all tested', () => {
    assert.deepEqual(
      EXAMPLES.map(({ id }) => id),
      Object.keys(VENDORS),
    );
  });

  for (const example of EXAMPLES) {
    const id = String(example.id);
    const { path, model, headers = {}, refuse: refusal, check } = VENDORS[id] as Vendor;
    it(`work with recorded shapes of ${id}`, async () => {
      const service = await startService((response, { path: asked, body }) => {
        const [status, answer] = refusal?.(JSON.parse(body.toString())) ?? [
          200,
          asked.includes('/responses') ? RESPONSE : COMPLETION,
        ];
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
      closeLater(() => service.close());
      const settings = readExample({ ...example, baseUrl: onTestServer(String(example.baseUrl), service.baseAddress) });
      const router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
      closeLater(() => router.close());
      const { port } = await startGateway({ upstream: router });
      for (const _ of [1, 2]) {
        const { status, body } = await ask(port, model, settings.formats.includes('responses'));
        assert.equal(status, 200, body.toString());
        assert.match(body.toString(), /Yes/);
        if (settings.thinkTags === true) assert.doesNotMatch(body.toString(), /<think>/);
      }
      const [first, ...others] = service.requests;
      assert.equal(first?.path, path);
      for (const [name, value] of Object.entries(headers)) assert.equal(first?.headers[name], value);
      check?.(JSON.parse(String(first?.body)));
      assert.equal(others.length, refusal === undefined ? 1 : 2);
    });
  }
});

/** Sends a request in a format that the upstream does not have. */
function ask(port: number, model: string, isResponses: boolean) {
  const [path, body] = isResponses
    ? ['/messages', { max_tokens: 50, temperature: 0.2, messages: [{ role: 'user', content: 'Hi' }] }]
    : [
        '/responses',
        { input: 'Hi', temperature: 0.2, parallel_tool_calls: false, prompt_cache_key: 's', store: false },
      ];
  return send({
    port,
    path: `/api/v1${path}`,
    headers: AUTHORIZED,
    body: JSON.stringify({ model, ...(body as object) }),
  });
}

function onTestServer(address: string, test: string): string {
  const { pathname, search } = new URL(address);
  return `${new URL(test).origin}${pathname}${search}`;
}

function readExample(example: Body) {
  const folder = mkdtempSync(join(tmpdir(), 'vendors-'));
  const file = join(folder, 'config.json');
  writeFileSync(file, JSON.stringify({ upstreams: [example] }));
  try {
    const names = ['AZURE_KEY', 'GEMINI_KEY', 'DEEPSEEK_KEY', 'MISTRAL_KEY', 'GROQ_KEY', 'GROQ_KEY_2'];
    const environment = Object.fromEntries(names.map((name) => [name, `value-of-${name}`]));
    const [settings] = readServeConfig(file, environment).upstreams;
    assert.ok(settings);
    return settings;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
