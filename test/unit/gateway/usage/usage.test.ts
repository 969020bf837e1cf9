import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { FormatName } from '../../../../src/formats/conversation.ts';
import { wireFormats } from '../../../../src/formats/index.ts';
import type { ExchangeRecord } from '../../../../src/gateway/core/exchangeRecord.ts';
import { TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';
import { createHosted } from '../../../../src/gateway/upstreams/hosted.ts';
import { Sandbox } from '../../../../src/gateway/upstreams/sandbox/sandbox.ts';
import { ModelServer, type Script } from '../../../support/modelServer/modelServer.ts';
import { type Said, USAGE } from '../../../support/modelServer/script.ts';
import { open, send } from '../support/client.ts';
import { closeAll, closeLater, SERVICE_KEY, startGateway } from '../support/gateway.ts';
import { PAIRS, startRouter } from '../support/routed.ts';

const FORMATS: readonly FormatName[] = ['chat-completions', 'messages', 'responses'];
const SAID: Said = { parts: [{ text: 'A pound of flesh, no more and no less.' }] };

function question(format: FormatName, stream: boolean, model = 'model-a'): string {
  const request = { model, maxTokens: 100, system: [], stream, includeUsage: true };
  const messages = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'How much?' }] }];
  return JSON.stringify(wireFormats[format].encodeRequest({ ...request, messages }));
}

function tokensOf({ usage }: ExchangeRecord) {
  return usage && [usage.inputTokens, usage.cachedInputTokens, usage.outputTokens];
}

const COUNTED = [USAGE.prompt, USAGE.cached, USAGE.completion];

describe('the usage in the record', () => {
  afterEach(closeAll);

  const startHosted = async (script: Script, estimator?: TokenCounter) => {
    const server = await ModelServer.start(script);
    closeLater(() => server.close());
    const upstream = createHosted({ baseAddress: server.baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    return startGateway({ upstream, ...(estimator !== undefined && { estimator }) });
  };

  for (const format of FORMATS) {
    const path = `/api/v1${wireFormats[format].path}`;

    for (const stream of [false, true]) {
      const body = question(format, stream);

      it(`is what the service reported, for ${stream ? 'a stream' : 'a whole answer'} of ${format}`, async () => {
        const running = await startHosted(() => SAID);
        const ended = running.nextRecord();
        await send({ port: running.port, path, body });
        const record = await ended;
        assert.deepEqual(tokensOf(record), COUNTED);
        assert.deepEqual(
          [record.upstreamFormat, record.usageIsEstimated, record.end],
          [format, undefined, 'completed'],
        );
      });

      it(`is found in bytes that arrive one by one, for ${stream ? 'a stream' : 'a whole answer'} of ${format}`, async () => {
        const running = await startHosted(() => ({ ...SAID, pieceBytes: 1, odd: true }));
        const ended = running.nextRecord();
        await send({ port: running.port, path, body });
        assert.deepEqual(tokensOf(await ended), COUNTED);
      });

      it(`is what the service reported if ${format} is compressed, ${stream ? 'streamed' : 'whole'}`, async () => {
        const running = await startHosted(() => ({ ...SAID, gzip: true }));
        const ended = running.nextRecord();
        await send({ port: running.port, path, body });
        const record = await ended;
        assert.deepEqual([record.status, tokensOf(record), record.usageIsEstimated], [200, COUNTED, undefined]);
      });
    }

    it(`is not read from an error of ${format}`, async () => {
      const usage = { input_tokens: 1, output_tokens: 1, prompt_tokens: 1, completion_tokens: 1 };
      const running = await startHosted(() => ({ status: 500, body: { usage, error: { message: 'No.' } } }));
      const ended = running.nextRecord();
      await send({ port: running.port, path, body: question(format, false) });
      const record = await ended;
      assert.deepEqual([record.status, record.usage], [500, undefined]);
    });

    it(`is that of the sandbox in ${format}`, async () => {
      const running = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
      const ended = running.nextRecord();
      await send({ port: running.port, path, body: question(format, true, 'familya-haiku-4.5') });
      const { usage } = await ended;
      assert.ok(usage !== undefined && usage.inputTokens > 0 && usage.outputTokens > 0);
    });
  }

  it('for an interrupted stream is the reported input, and an estimate of what arrived', async () => {
    const running = await startHosted(() => ({ ...SAID, afterEvents: 4, ending: 'cut' }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/messages', body: question('messages', true) });
    const record = await ended;
    assert.deepEqual([record.usage?.inputTokens, record.usage?.cachedInputTokens], [USAGE.prompt, USAGE.cached]);
    assert.deepEqual([record.usageIsEstimated, record.end], [true, 'upstreamFailed']);
  });

  it('for a stream that is interrupted before any report is an estimate', async () => {
    const running = await startHosted(() => ({ ...SAID, afterEvents: 3, ending: 'cut' }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/chat/completions', body: question('chat-completions', true) });
    const record = await ended;
    assert.ok((record.usage?.inputTokens ?? 0) > 0);
    assert.deepEqual([record.usageIsEstimated, record.end], [true, 'upstreamFailed']);
  });

  it('for an interrupted stream is an estimate of its text, even if the service writes the content type in capitals', async () => {
    const headers = { 'content-type': 'Text/Event-Stream' };
    const running = await startHosted(() => ({ ...SAID, headers, afterEvents: 3, ending: 'cut' }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/chat/completions', body: question('chat-completions', true) });
    const { usage, usageIsEstimated, end } = await ended;
    assert.deepEqual([usageIsEstimated, end], [true, 'upstreamFailed']);
    assert.ok((usage?.outputTokens ?? 100) < 20, JSON.stringify(usage));
  });

  it('for an interrupted stream includes the searches that it has shown', async () => {
    const search = { type: 'web_search_call', id: 'w', action: { type: 'search' } };
    const shown = { type: 'response.output_item.done', output_index: 0, item: search };
    for (const gzip of [false, true]) {
      const stream = `data: ${JSON.stringify({ type: 'response.created' })}\n\ndata: ${JSON.stringify(shown)}\n\n`;
      const running = await startHosted(() => ({ stream, gzip, ...(!gzip && { ending: 'cut' }) }));
      const ended = running.nextRecord();
      await send({ port: running.port, path: '/v1/responses', body: question('responses', true) });
      const record = await ended;
      assert.deepEqual([record.usage?.webSearches, record.usageIsEstimated], [1, true]);
    }
  });

  it('is what the service reported in a compressed stream with an event that is too long to be held', async () => {
    const output = [{ type: 'image_generation_call', result: 'x'.repeat(3e6) }];
    const response = { status: 'completed', output, usage: { input_tokens: 8, output_tokens: 2 } };
    const stream = `data: ${JSON.stringify({ type: 'response.completed', response })}\n\n`;
    const running = await startHosted(() => ({ stream, gzip: true }));
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/responses', body: question('responses', true) });
    const { usage, usageIsEstimated } = await ended;
    assert.deepEqual([usage?.inputTokens, usage?.outputTokens, usageIsEstimated], [8, 2, undefined]);
  });

  it('for an estimate includes the error of earlier estimates of the model', async () => {
    const counter = new TokenCounter((problem) => assert.fail(problem));
    closeLater(() => counter.close());
    const body = question('messages', true).replace('How much?', 'How much is a pound of flesh? '.repeat(100));
    const known = { upstream: 'hosted', model: 'model-a', endpoint: '/messages', body: Buffer.from(body) } as const;
    const counted = await counter.count(known);
    assert.ok('tokens' in counted);
    await counter.learn(known, counted.tokens * 2);
    const running = await startHosted(() => ({ ...SAID, afterEvents: 4, ending: 'cut' }), counter);
    const ended = running.nextRecord();
    await send({ port: running.port, path: '/v1/messages', body });
    const { usageIsEstimated, estimateAccuracy } = await ended;
    const { error = 0, reports } = estimateAccuracy ?? {};
    assert.deepEqual([usageIsEstimated, error.toFixed(2), reports], [true, '0.50', 1]);
  });

  it('is kept if the client disconnects in the middle', async () => {
    const running = await startHosted(() => ({ ...SAID, afterEvents: 4, ending: 'stall' }));
    const ended = running.nextRecord();
    const request = open({ port: running.port, path: '/v1/messages' }).on('error', () => undefined);
    request.end(question('messages', true));
    const [response] = await once(request, 'response');
    await once(response, 'data');
    request.destroy();
    const record = await ended;
    assert.equal(record.usage?.inputTokens, USAGE.prompt);
    assert.deepEqual([record.usageIsEstimated, record.end], [true, 'clientLeft']);
  });

  for (const endpoint of ['/models', '/balance']) {
    it(`is not read at ${endpoint}`, async () => {
      const body = { usage: { prompt_tokens: 1, completion_tokens: 1 } };
      const running = await startHosted(() => ({ status: 200, body }));
      const ended = running.nextRecord();
      await send({ port: running.port, path: `/v1${endpoint}`, method: 'GET' });
      assert.equal((await ended).usage, undefined);
    });
  }
});

for (const { caller, upstream } of PAIRS) {
  describe(`the usage in the record of ${caller} from an upstream of ${upstream}`, () => {
    afterEach(closeAll);

    const path = `/api/v1${wireFormats[caller].path}`;
    const ask = async (script: Script, stream: boolean) => {
      const running = await startRouter([{ script, formats: [upstream] }], { alias: 'server0/model-a' });
      const ended = running.nextRecord();
      await send({ port: running.port, path, body: question(caller, stream, 'alias') });
      return ended;
    };

    for (const stream of [false, true]) {
      it(`is what the upstream reported, ${stream ? 'streamed' : 'whole'}`, async () => {
        const record = await ask(() => SAID, stream);
        assert.deepEqual(tokensOf(record), COUNTED);
        assert.deepEqual([record.upstreamFormat, record.usageIsEstimated], [upstream, undefined]);
        assert.deepEqual([record.model, record.upstreamModel], ['alias', 'model-a']);
      });

      it(`is what the upstream reported in a compressed answer, ${stream ? 'streamed' : 'whole'}`, async () => {
        assert.deepEqual(tokensOf(await ask(() => ({ ...SAID, gzip: true }), stream)), COUNTED);
      });

      it(`is a marked estimate if the upstream reports nothing, ${stream ? 'streamed' : 'whole'}`, async () => {
        const body = withoutUsage(upstream);
        const { usage, usageIsEstimated } = await ask(() => ({ status: 200, body }), stream);
        assert.ok(usage !== undefined && usage.inputTokens > 0 && usage.outputTokens > 0);
        assert.equal(usageIsEstimated, true);
      });
    }

    it('is what the upstream reported if it disconnects after a stream whose content type is in capitals', async () => {
      const headers = { 'content-type': 'Text/Event-Stream' };
      const record = await ask(() => ({ ...SAID, headers, ending: 'cut' }), true);
      assert.deepEqual([tokensOf(record), record.usageIsEstimated, record.end], [COUNTED, undefined, 'completed']);
    });

    it('for an interrupted stream is the reported input, and an estimate of the rest', async () => {
      const record = await ask(() => ({ ...SAID, afterEvents: 4, ending: 'cut' }), true);
      if (upstream === 'messages') assert.equal(record.usage?.inputTokens, USAGE.prompt);
      assert.ok((record.usage?.inputTokens ?? 0) > 0);
      assert.equal(record.usageIsEstimated, true);
      assert.equal(record.end, 'upstreamFailed');
    });
  });
}

function withoutUsage(format: FormatName): unknown {
  const response = { id: 'a1', model: 'model-a', parts: [{ type: 'text' as const, text: 'Exactly one pound.' }] };
  const request = { model: 'model-a', system: [], messages: [] };
  const whole = wireFormats[format].encodeResponse({ ...response, finishReason: 'stop' }, { request, now: 1 });
  const { usage: _, ...rest } = whole as Record<string, unknown>;
  // The messages format has no answer without this member.
  return format === 'messages' ? { ...rest, usage: { input_tokens: 0, output_tokens: 0 } } : rest;
}
