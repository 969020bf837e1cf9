import assert from 'node:assert/strict';
import { messages } from '../../../src/formats/messages/index.ts';
import { responses } from '../../../src/formats/responses/index.ts';
import type { ApiClient, ApiClientOptions } from '../../../src/service/apiClient.ts';
import type { ServiceError } from '../../../src/service/serviceError.ts';
import { ManualClock } from '../../support/manualClock.ts';
import {
  type Answer,
  answerJson,
  answerStream,
  answerText,
  cutBeforeHeaders,
  eventStreamOf,
  ScriptedService,
  staySilent,
} from '../../support/scriptedService.ts';
import * as wire from './wire.ts';

describe('ApiClient', () => {
  let service: ScriptedService;
  afterEach(() => service.close());

  async function client(answers: Answer[], options: Partial<ApiClientOptions> = {}): Promise<ApiClient> {
    service = await ScriptedService.start(...answers);
    return wire.clientOf(service, options);
  }

  describe('requests', () => {
    it('posts chat completions as JSON with the key as bearer token', async () => {
      const api = await client([answerStream(eventStreamOf('[DONE]'))]);
      await wire.collect(await wire.chat(api));
      const { method, path, headers, body } = await service.request();
      assert.deepEqual([method, path], ['POST', '/api/v1/chat/completions']);
      assert.equal(headers.authorization, `Bearer ${wire.SECRET}`);
      assert.equal(headers['content-type'], 'application/json');
      assert.equal(headers['vendorb-version'], undefined);
      assert.equal(headers['anthropic-version'], undefined);
      assert.deepEqual(JSON.parse(body), { ...wire.chatRequest, stream: true });
    });

    it('sends the version in both headers to the messages endpoints', async () => {
      const api = await client([answerJson(wire.message), answerJson({ input_tokens: 7 })]);
      await wire.collect(await api.stream(messages, { ...wire.messagesRequest, stream: true }));
      assert.equal((await api.countTokens({ model: 'm', messages: [] })).inputTokens, 7);
      const paths = service.requests.map(({ path }) => path);
      assert.deepEqual(paths, ['/api/v1/messages', '/api/v1/messages/count_tokens']);
      for (const { headers } of service.requests) {
        assert.equal(headers['vendorb-version'], '2023-06-01');
        assert.equal(headers['anthropic-version'], '2023-06-01');
      }
    });

    it('sends no half of a character, which a cut text may end with', async () => {
      const api = await client([answerJson({ input_tokens: 7 })]);
      await api.countTokens({ model: 'm', messages: [{ role: 'user', content: 'cut \ud83d' }] });
      assert.match((await service.request()).body, /"cut \uFFFD"/);
    });

    it('posts responses', async () => {
      const api = await client([answerJson(wire.response)]);
      await wire.collect(await api.stream(responses, { ...wire.responsesRequest, stream: true }));
      assert.equal((await service.request()).path, '/api/v1/responses');
    });

    it('gets models and balance without a body', async () => {
      const api = await client([answerJson({ data: [{ id: 'a' }] }), answerJson({ balance: '3.50', state: 'active' })]);
      assert.deepEqual(
        (await api.models()).models.map(({ id }) => id),
        ['a'],
      );
      const { remaining, packageState } = await api.balance();
      assert.deepEqual([remaining, packageState], [3.5, 'active']);
      for (const { method, body, headers } of service.requests) {
        assert.deepEqual([method, body, headers['content-type']], ['GET', '', undefined]);
        assert.equal(headers.authorization, `Bearer ${wire.SECRET}`);
      }
    });

    it('accepts a slash at the end of the base address', async () => {
      service = await ScriptedService.start(answerJson({ balance: 1 }));
      const api = wire.clientOf(service, { baseAddress: `${service.baseAddress}/` });
      await api.balance();
      assert.equal((await service.request()).path, '/api/v1/balance');
    });

    it('reports the status and the request id of each answer', async () => {
      const api = await client([answerJson({}, 503), answerJson({ balance: 1 }, 200, { 'x-request-id': 'r2' })]);
      const heads: unknown[] = [];
      await api.balance({ onResponse: ({ headers: _, ...head }) => heads.push(head), onRetry: ({ skip }) => skip() });
      assert.deepEqual(heads, [
        { status: 503, requestId: undefined },
        { status: 200, requestId: 'r2' },
      ]);
    });
  });

  describe('failures', () => {
    async function failureOf(answer: Answer, options: Partial<ApiClientOptions> = {}): Promise<ServiceError> {
      const api = await client([answer], { retry: { retries: 0 }, ...options });
      return wire.rejection(wire.chat(api));
    }

    it('includes the service’s message, request id and retry delay', async () => {
      const body = { error: { message: 'Slow down.', type: 'requests', code: 'rate_limit_exceeded' } };
      const error = await failureOf(answerJson(body, 429, { 'x-request-id': 'req_9', 'retry-after': '2' }));
      assert.deepEqual(
        [error.kind, error.status, error.message, error.requestId, error.retryAfterMs],
        ['rateLimit', 429, 'Slow down.', 'req_9', 2000],
      );
    });

    it('reads the error body of a messages service on any endpoint', async () => {
      const error = await failureOf(
        answerJson({ type: 'error', error: { type: 'billing_error', message: 'Empty.' } }, 402),
      );
      assert.deepEqual([error.kind, error.message], ['credit', 'Empty.']);
    });

    it('shows the title of an HTML page', async () => {
      const page = '<html><head><title>Bad gateway</title></head><body>…</body></html>';
      const error = await failureOf(answerText(page, 502, { 'content-type': 'text/html' }));
      assert.deepEqual([error.kind, error.message], ['server', 'Bad gateway']);
    });

    it('never follows a redirect', async () => {
      const elsewhere = await ScriptedService.start(answerJson(wire.completion));
      const error = await failureOf(answerText('', 307, { location: `${elsewhere.baseAddress}/chat/completions` }));
      assert.equal(error.kind, 'malformed');
      assert.match(error.message, /not followed/);
      assert.equal(elsewhere.requests.length, 0);
      await elsewhere.close();
    });

    it('treats an error body with a success status as an error', async () => {
      const error = await failureOf(answerJson({ error: { message: 'No.', type: 'invalid_request_error' } }));
      assert.deepEqual([error.kind, error.message], ['invalidRequest', 'No.']);
    });

    it('explains an HTML page with a success status', async () => {
      const error = await failureOf(
        answerText('<html><title>Sign in</title></html>', 200, { 'content-type': 'text/html' }),
      );
      assert.equal(error.kind, 'malformed');
      assert.match(error.message, /web page \(“Sign in”\).*base address/);
    });

    it('explains an answer with an invalid structure and names the field', async () => {
      const error = await failureOf(answerJson({ ...wire.completion, choices: 'none' }));
      assert.equal(error.kind, 'malformed');
      assert.match(error.message, /choices/);
    });

    it('explains an empty answer', async () => {
      assert.match(
        (await failureOf(answerText('', 200, { 'content-type': 'application/json' }))).message,
        /returned an empty response/,
      );
    });

    it('names the cause if the connection is refused', async () => {
      service = await ScriptedService.start(answerJson({}));
      const api = wire.clientOf(service, { retry: { retries: 0 } });
      await service.close();
      const error = await wire.rejection(api.balance());
      assert.deepEqual([error.kind, error.code, error.status], ['network', 'ECONNREFUSED', undefined]);
      assert.match(error.message, /Nothing responds at 127\.0\.0\.1:\d+/);
    });

    it('reports a connection that ends before an answer', async () => {
      const error = await failureOf(cutBeforeHeaders());
      assert.deepEqual([error.kind, error.repeat], ['network', 'unsure']);
    });

    it('reports a connection that ends within the answer, and does not retry', async () => {
      const cut: Answer = (response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
        response.write('{"id":', () => response.socket?.destroy());
      };
      const error = await failureOf(cut, { retry: { retries: 2 } });
      assert.equal(error.kind, 'network');
      assert.match(error.message, /was lost during the answer/);
      assert.equal(service.requests.length, 1);
    });

    it('reads only the beginning of an endless error', async () => {
      const endless: Answer = (response) => {
        response.writeHead(500, { 'content-type': 'text/plain' });
        const more = () => response.write('word '.repeat(4000), () => response.writable && setImmediate(more));
        more();
      };
      const error = await failureOf(endless);
      assert.equal(error.message.length, 1000);
      assert.equal(await (await service.request()).ended, 'left');
    });

    it('redacts the key in a message that repeats it', async () => {
      const error = await failureOf(answerJson({ error: { message: `Bad key ${wire.SECRET}` } }, 401));
      assert.equal(error.message, 'Bad key key_…');
    });
  });

  describe('time limits', () => {
    for (const title of ['a read', 'a read whose end does not come']) {
      it(`ends ${title} that takes too long, and closes the connection`, async () => {
        const clock = new ManualClock();
        const half: Answer = (response) => {
          response.writeHead(200, { 'content-type': 'application/json' }).write('{');
        };
        const api = await client([title.includes('end') ? half : staySilent()], { clock, readMs: 5000 });
        const failed = wire.rejection(api.balance());
        const request = await service.request();
        clock.advance(5000);
        const error = await failed;
        assert.equal(error.kind, 'timeout');
        assert.match(error.message, /did not respond within 5 seconds/);
        assert.equal(await request.ended, 'left');
      });
    }

    it('leaves no timer behind', async () => {
      const clock = new ManualClock();
      const api = await client([answerJson({ balance: 1 })], { clock });
      await api.balance();
      assert.equal(clock.pending, 0);
    });
  });

  describe('retrying', () => {
    const skip = { onRetry: (notice: { skip(): void }) => notice.skip() };

    it('succeeds after temporary failures', async () => {
      const api = await client([answerJson({}, 529), cutBeforeHeaders(), answerJson(wire.completion)]);
      assert.match(JSON.stringify(await wire.collect(await wire.chat(api, skip))), /Good day\./);
      assert.equal(service.requests.length, 3);
      assert.equal(new Set(service.requests.map(({ body }) => body)).size, 1);
    });

    it('retries as often as the call specifies', async () => {
      const api = await client([answerJson({}, 503)]);
      await wire.rejection(api.balance({ ...skip, retries: 4 }));
      assert.equal(service.requests.length, 5);
      await wire.rejection(api.balance({ ...skip, retries: 0 }));
      assert.equal(service.requests.length, 6);
    });

    it('does not retry what the service rejects', async () => {
      const api = await client([answerJson({}, 401)]);
      await wire.rejection(api.balance(skip));
      assert.equal(service.requests.length, 1);
    });

    it('opens a stream after temporary failures', async () => {
      const api = await client([answerJson({}, 429, { 'retry-after': '1' }), answerStream(eventStreamOf('[DONE]'))]);
      const stream = await wire.chat(api, skip);
      assert.deepEqual(await wire.collect(stream), [{ type: 'done' }]);
    });
  });

  describe('aborting', () => {
    it('sends nothing before the call', async () => {
      const api = await client([answerJson({ balance: 1 })]);
      const reason = new Error('no longer wanted');
      await assert.rejects(api.balance({ signal: AbortSignal.abort(reason) }), reason);
      assert.equal(service.requests.length, 0);
    });

    it('closes the connection during the call and throws the reason', async () => {
      const api = await client([staySilent()]);
      const controller = new AbortController();
      const reason = new Error('stopped by the user');
      const call = wire.chat(api, { signal: controller.signal });
      const request = await service.request();
      controller.abort(reason);
      await assert.rejects(call, reason);
      assert.equal(await request.ended, 'left');
    });
  });
});
