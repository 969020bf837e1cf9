import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAnthropic } from '@ai-sdk/anthropic';
import Anthropic from '@anthropic-ai/sdk';
import { APICallError, generateText } from 'ai';
import OpenAI from 'openai';
import type { FormatName } from '../../src/formats/conversation.ts';
import type { IssuedKey } from '../../src/gateway/keys/issuedKey.ts';
import { Router } from '../../src/gateway/routing/router.ts';
import { Gateway } from '../../src/gateway/server/gateway.ts';
import { createCompatible } from '../../src/gateway/upstreams/compatible.ts';
import { ModelServer } from '../support/modelServer/modelServer.ts';
import { type ServedGateway, serve } from './support/gateways.ts';

const MODEL = 'familya-haiku-4.5';
const MESSAGES = [{ role: 'user' as const, content: 'echo: hello' }];

describe('local keys with limits in official SDKs', () => {
  let folder: string;
  let served: ServedGateway;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'keys-'));
    const config = join(folder, 'keys.json');
    const keys = [
      { name: 'poor', secretEnv: 'POOR', budget: { amount: 0.00001, unit: 'usd' } },
      { name: 'rich', secretEnv: 'RICH', budget: { amount: 1, unit: 'usd', period: 'monthly' } },
      { name: 'narrow', secretEnv: 'NARROW', models: ['familyc-*'] },
      { name: 'old', secretEnv: 'OLD', expires: '2020-01-01' },
    ];
    writeFileSync(config, JSON.stringify({ keys }));
    const environment = {
      POOR: 'key_poor-for-interop',
      RICH: 'key_rich-for-interop',
      NARROW: 'key_narrow-for-interop',
      OLD: 'key_old-for-the-interop',
    };
    served = await serve(['--upstream', 'sandbox', '--delay', '1', '--config', config], environment);
  });
  after(async () => {
    await served.stop();
    rmSync(folder, { recursive: true });
  });

  const openai = (apiKey: string) => new OpenAI({ baseURL: served.address, apiKey });
  const anthropic = (apiKey: string) => new Anthropic({ baseURL: served.root, apiKey });
  const complete = (apiKey: string) => openai(apiKey).chat.completions.create({ model: MODEL, messages: MESSAGES });
  const message = (apiKey: string) =>
    anthropic(apiKey).messages.create({ model: MODEL, max_tokens: 50, messages: MESSAGES });

  it('are rejected with 402 as an SDK error, immediately and without a retry', async () => {
    const refused = (error: unknown) => {
      assert.ok(error instanceof OpenAI.APIError);
      assert.deepEqual([error.status, error.type], [402, 'insufficient_quota']);
      assert.match(error.message, /The local key "poor" has .* left of its budget/);
      return true;
    };
    await assert.rejects(complete('key_poor-for-interop'), refused);
    await assert.rejects(openai('key_poor-for-interop').responses.create({ model: MODEL, input: 'hi' }), refused);
    await assert.rejects(message('key_poor-for-interop'), (error) => {
      assert.ok(error instanceof Anthropic.APIError);
      assert.deepEqual([error.status, error.type], [402, 'billing_error']);
      return true;
    });
    const vendor = createAnthropic({ baseURL: served.address, apiKey: 'key_poor-for-interop' });
    await assert.rejects(generateText({ model: vendor(MODEL), prompt: 'hi' }), (error) => {
      assert.ok(APICallError.isInstance(error));
      assert.deepEqual([error.statusCode, error.isRetryable], [402, false]);
      return true;
    });
  });

  it('cause the SDK’s error classes for disallowed models and after expiry', async () => {
    await assert.rejects(complete('key_narrow-for-interop'), OpenAI.PermissionDeniedError);
    await assert.rejects(message('key_narrow-for-interop'), Anthropic.PermissionDeniedError);
    await assert.rejects(complete('key_old-for-the-interop'), OpenAI.AuthenticationError);
    await assert.rejects(message('key_old-for-the-interop'), Anthropic.AuthenticationError);
  });

  it('have separate balances', async () => {
    const balanceOf = async (key: string) => {
      const answer = await fetch(`${served.address}/balance`, { headers: { authorization: `Bearer ${key}` } });
      return (await answer.json()) as { balance: number; package: { name: string } };
    };
    const before = await balanceOf('key_rich-for-interop');
    assert.deepEqual([before.balance, before.package.name], [1, 'rich']);
    await complete('key_rich-for-interop');
    assert.ok((await balanceOf('key_rich-for-interop')).balance < 1);
    assert.equal((await balanceOf('key_poor-for-interop')).balance, 0.00001);
    // Keys without a budget have the upstream's.
    assert.equal((await balanceOf('key_narrow-for-interop')).balance, 25);
  });
});

describe('a local key revoked mid-stream in official SDKs', () => {
  const KEY: IssuedKey = { id: 'one', name: 'one', secret: 'key_one', createdAt: 0 };
  let gateway: Gateway;
  let server: ModelServer;
  let router: Router;
  let base: string;

  const start = async (format: FormatName) => {
    const text = 'one two three four five six seven';
    server = await ModelServer.start(() => ({ parts: [{ text }], afterEvents: 6, ending: 'stall' }));
    const settings = { id: 'server', baseUrl: server.baseUrl, formats: [format], models: ['*'] };
    router = new Router([{ ...settings, upstream: createCompatible(settings) }]);
    gateway = new Gateway({ localKeys: [KEY], upstream: router, measuresContext: false });
    base = (await gateway.listen(0)).address;
  };
  afterEach(async () => {
    await gateway.close(0);
    await router.close();
    await server.close();
  });

  const readUntilRevoked = async (stream: AsyncIterable<unknown>) => {
    for await (const _ of stream) gateway.setLocalKeys([]);
  };

  for (const upstream of ['chat-completions', 'messages', 'responses'] as const) {
    it(`ends the stream with an SDK error on a ${upstream} upstream`, async () => {
      await start(upstream);
      const openai = new OpenAI({ baseURL: base, apiKey: KEY.secret, maxRetries: 0 });
      const stream = await openai.chat.completions.create({ model: 'm', messages: MESSAGES, stream: true });
      await assert.rejects(readUntilRevoked(stream), /no longer grants access to the gateway/);
      gateway.setLocalKeys([KEY]);
      const anthropic = new Anthropic({ baseURL: base.replace(/\/v1$/, ''), apiKey: KEY.secret, maxRetries: 0 });
      const events = await anthropic.messages.create({ model: 'm', max_tokens: 9, messages: MESSAGES, stream: true });
      await assert.rejects(readUntilRevoked(events), /no longer grants access to the gateway/);
      gateway.setLocalKeys([KEY]);
      const response = await openai.responses.create({ model: 'm', input: 'hi', stream: true });
      const last: unknown[] = [];
      const reading = (async () => {
        for await (const event of response) {
          last.push(event);
          gateway.setLocalKeys([]);
        }
      })();
      await reading.catch((error: unknown) => last.push({ type: 'error', message: String(error) }));
      assert.match(JSON.stringify(last.at(-1)), /no longer grants access to the gateway/);
    });
  }
});
