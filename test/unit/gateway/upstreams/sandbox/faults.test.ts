import assert from 'node:assert/strict';
import { mock } from 'node:test';
import type { FormatName } from '../../../../../src/formats/conversation.ts';
import { FAULT_HEADER } from '../../../../../src/gateway/upstreams/sandbox/faults.ts';
import { FAULTS } from '../../../../../src/sandbox/faultNames.ts';
import {
  answerOf,
  ask,
  askQuestion,
  balanceOf,
  eventsOf,
  formatNamed,
  formatNames,
  quickSandbox,
  RecordingSink,
  send,
  sentQuestion,
} from './ask.ts';
import { elapse } from './elapse.ts';

const MODEL = 'familya-sonnet-4.6';

/** The status and the error type, in the messages format and in the other two. */
const REFUSALS: readonly (readonly [string, Record<'messages' | 'others', readonly [number, RegExp]>])[] = [
  ['rate-limit', { messages: [429, /^rate_limit_error$/], others: [429, /rate_limit/] }],
  ['overloaded', { messages: [529, /^overloaded_error$/], others: [503, /server_error|overloaded/] }],
  ['server-error', { messages: [500, /^api_error$/], others: [500, /server_error/] }],
  ['unauthorized', { messages: [401, /^authentication_error$/], others: [401, /invalid_request_error/] }],
  ['no-credit', { messages: [402, /^billing_error$/], others: [402, /insufficient_quota/] }],
];

function expected(format: FormatName, by: Record<'messages' | 'others', readonly [number, RegExp]>) {
  return format === 'messages' ? by.messages : by.others;
}

function streamed(format: FormatName, fault: string) {
  return { format, model: `${MODEL}+${fault}`, text: 'write 60 words', request: { stream: true } };
}

describe('A requested fault', () => {
  for (const [fault, by] of REFUSALS) {
    for (const format of formatNames) {
      it(`is an error in the format of the caller: ${fault}, ${format}`, async () => {
        const [status, type] = expected(format, by);
        const answers = [
          await askQuestion(quickSandbox(), { format, model: `${MODEL}+${fault}` }),
          await askQuestion(quickSandbox(), { format, headers: { [FAULT_HEADER]: fault } }),
          await askQuestion(quickSandbox(), { format, model: MODEL, text: `fail: ${fault}` }),
          await askQuestion(quickSandbox(), streamed(format, fault)),
        ];
        for (const answer of answers) {
          assert.equal(answer.status, status);
          assert.match(JSON.parse(answer.text).error.type, type);
          assert.equal(answer.headers['content-type'], 'application/json');
          assert.equal(answer.headers['x-model-access-sandbox'], 'true');
          assert.equal(answer.headers['retry-after'], fault === 'rate-limit' ? '1' : undefined);
        }
      });
    }
  }

  for (const format of formatNames) {
    it(`can be limited to the first attempt: ${format}`, async () => {
      const sandbox = quickSandbox();
      const statuses: number[] = [];
      for (const localKeyId of ['a', 'a', 'b', 'a', 'a']) {
        const { status } = await askQuestion(sandbox, { format, model: `${MODEL}+rate-limit-once`, localKeyId });
        statuses.push(status);
      }
      assert.deepEqual(statuses, [429, 200, 429, 429, 200]);
    });

    it(`stalls a stream after a few events: stall, ${format}`, async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const sandbox = quickSandbox();
      const sink = new RecordingSink();
      const call = send(sandbox, sentQuestion(streamed(format, 'stall')), sink);
      await elapse(50);
      mock.timers.tick(3_600_000);
      mock.timers.reset();
      assert.equal(sink.status, 200);
      assert.ok(eventsOf(formatNamed(format), sink.text).filter(({ type }) => type === 'textDelta').length >= 3);
      assert.equal(sink.over, false);
      call.resume();
      assert.equal(sink.over, false);
      call.cancel();
      assert.ok((await balanceOf(sandbox)).used > 0);
    });

    it(`breaks the connection in the middle of a stream: cut, ${format}`, async () => {
      const { status, failure, text } = await askQuestion(quickSandbox(), streamed(format, 'cut'));
      assert.equal(status, 200);
      assert.equal(failure?.kind, 'network');
      assert.equal(eventsOf(formatNamed(format), text).at(-1)?.type, 'error');
    });

    it(`ends a stream too early without an error: truncate, ${format}`, async () => {
      const { failure, text } = await askQuestion(quickSandbox(), streamed(format, 'truncate'));
      assert.equal(failure, undefined);
      const events = eventsOf(formatNamed(format), text);
      assert.ok(events.filter(({ type }) => type === 'textDelta').length > 20);
      assert.equal(events.at(-1)?.type, 'error');
      assert.ok(!events.some(({ type }) => type === 'finish'));
    });

    it(`inserts one malformed event into a stream that continues, and cannot end cleanly: malformed, ${format}`, async () => {
      const { text } = await askQuestion(quickSandbox(), streamed(format, 'malformed'));
      const events = eventsOf(formatNamed(format), text);
      assert.equal(events.filter(({ type }) => type === 'malformed').length, 1);
      assert.equal(events.filter(({ type }) => type === 'textDelta').length, 60);
      assert.equal(events.at(-1)?.type, 'error');
    });

    it(`ends a stream with the format's error event: error-event, ${format}`, async () => {
      const { failure, text } = await askQuestion(quickSandbox(), streamed(format, 'error-event'));
      assert.equal(failure, undefined);
      const last = eventsOf(formatNamed(format), text).at(-1);
      assert.equal(last?.type, 'error');
      assert.match(last?.type === 'error' ? last.error.message : '', /as requested/);
    });

    it(`returns an empty but valid answer: empty, ${format}`, async () => {
      for (const stream of [false, true]) {
        const answer = await answerOf(quickSandbox(), { format, model: `${MODEL}+empty`, request: { stream } });
        assert.deepEqual(answer.parts, []);
        assert.equal(answer.finishReason, 'stop');
      }
    });

    it(`waits a second before the first byte: slow, ${format}`, async () => {
      for (const stream of [false, true]) {
        mock.timers.enable({ apis: ['setTimeout'] });
        const sink = new RecordingSink();
        const question = { ...streamed(format, 'slow'), text: 'echo one two', request: { stream } };
        send(quickSandbox(), sentQuestion(question), sink);
        await elapse(1_000);
        const early = sink.status;
        await elapse(10_000);
        mock.timers.reset();
        assert.equal(early, 0);
        assert.equal(sink.status, 200);
        assert.equal((await sink.done).failure, undefined);
      }
    });
  }

  describe('in an answer that is not streamed', () => {
    const question = (fault: string) => ({ model: `${MODEL}+${fault}`, text: 'Hello' });

    it('stalls after half of the body', async () => {
      mock.timers.enable({ apis: ['setTimeout'] });
      const sink = new RecordingSink();
      const call = send(quickSandbox(), sentQuestion(question('stall')), sink);
      await elapse(50);
      mock.timers.tick(3_600_000);
      mock.timers.reset();
      assert.ok(sink.text.length > 100 && sink.text.length < Number(sink.headers['content-length']));
      assert.equal(sink.over, false);
      call.cancel();
    });

    it('breaks the connection in the middle of the body', async () => {
      const { failure, text, headers } = await askQuestion(quickSandbox(), question('cut'));
      assert.equal(failure?.kind, 'network');
      assert.ok(text.length < Number(headers['content-length']));
    });

    it('truncates it to invalid JSON', async () => {
      const { failure, text } = await askQuestion(quickSandbox(), question('truncate'));
      assert.equal(failure, undefined);
      assert.throws(() => JSON.parse(text), SyntaxError);
    });

    it('returns another structure than that of the format: malformed', async () => {
      for (const format of formatNames) {
        const { status, text } = await askQuestion(quickSandbox(), { ...question('malformed'), format });
        assert.equal(status, 200);
        assert.throws(() => formatNamed(format).decodeResponse(JSON.parse(text)), /FormatError/);
      }
    });

    it('becomes a server error instead of an error event', async () => {
      assert.equal((await askQuestion(quickSandbox(), question('error-event'))).status, 500);
    });
  });

  it('also applies to the other endpoints', async () => {
    const headers = { [FAULT_HEADER]: 'overloaded' };
    const body = { model: `${MODEL}+rate-limit`, messages: [{ role: 'user', content: 'Hello' }] };
    assert.equal((await ask(quickSandbox(), { endpoint: '/models', headers })).status, 503);
    assert.equal((await ask(quickSandbox(), { endpoint: '/balance', headers })).status, 503);
    assert.equal((await ask(quickSandbox(), { endpoint: '/messages/count_tokens', body })).status, 429);
  });

  it('with an unknown name results in 400 and a list of the known ones', async () => {
    const { status, text } = await askQuestion(quickSandbox(), { model: `${MODEL}+nonsense` });
    assert.equal(status, 400);
    for (const fault of FAULTS) assert.ok(text.includes(fault), fault);
  });

  it('does not hide that the model is unknown', async () => {
    assert.equal((await askQuestion(quickSandbox(), { model: 'nobody-1+stall' })).status, 404);
  });

  it('costs only what was produced', async () => {
    const whole = quickSandbox();
    const cut = quickSandbox();
    const refused = quickSandbox();
    await askQuestion(whole, { ...streamed('messages', 'malformed') });
    await askQuestion(cut, { ...streamed('messages', 'cut') });
    await askQuestion(refused, { ...streamed('messages', 'rate-limit') });
    const used = await Promise.all([whole, cut, refused].map(async (sandbox) => (await balanceOf(sandbox)).used));
    assert.ok((used[0] ?? 0) > (used[1] ?? 0) && (used[1] ?? 0) > 0);
    assert.equal(used[2], 0);
  });
});
