import assert from 'node:assert/strict';
import type { ApiError } from '../../../../../src/formats/apiError.ts';
import type { Answer as Said } from '../../../../support/modelServer/modelServer.ts';
import { closeAll } from '../../support/gateway.ts';
import {
  ALL_PAIRS,
  EVENTS,
  errorBody,
  errorEvent,
  type FaultyRoute,
  HELLO,
  itInTurn,
  passMinutes,
  refusal,
  startRoute,
} from './faultyUpstreams.ts';

const LIMITED: ApiError = { kind: 'rateLimit', status: 429, message: 'Words of the first.' };
const BROKEN: ApiError = { kind: 'server', status: 500, message: 'Words of the first.' };
const OVERLOADED: ApiError = { kind: 'overloaded', status: 503, message: 'Words of the first.' };
const POOR: ApiError = { kind: 'invalidRequest', status: 400, message: 'Your credit balance is too low.' };
const PAGE = { status: 200, body: '<html>Welcome</html>', headers: { 'content-type': 'text/html' } };

async function assertServedByNext(route: FaultyRoute, stream: boolean): Promise<void> {
  const answer = await route.ask({ stream });
  assert.equal(answer.status, 200, answer.raw);
  assert.equal(answer.text, HELLO.parts[0]?.text);
  assert.ok(answer.isFinished);
  assert.ok(!answer.raw.includes('Words of the first'));
  assert.equal(answer.headers['x-model-access-upstream'], 'server1');
  assert.deepEqual([route.asked(0).length, route.asked(1).length], [1, 1]);
}

for (const pair of ALL_PAIRS) {
  const { caller, upstream } = pair;
  const start = (first: () => Said, options = {}) => startRoute(pair, [first, () => HELLO], options);
  const startAlone = (first: () => Said, options = {}) => startRoute(pair, [first], options);

  describe(`a client of ${caller} on upstreams of ${upstream}, before the first output`, () => {
    afterEach(closeAll);

    itInTurn(pair, '429 with `retry-after`', async () => {
      const limited = () => refusal(upstream, LIMITED, { 'retry-after': '7' });
      const route = await start(limited);
      await assertServedByNext(route, true);
      await route.ask();
      assert.deepEqual([route.asked(0).length, route.asked(1).length], [1, 2]);
      const { status, headers, error } = await (await startAlone(limited)).ask();
      assert.deepEqual([status, headers['retry-after'], error?.message], [429, '7', 'Words of the first.']);
    });

    itInTurn(pair, '429 without `retry-after`, repeatedly', async () => {
      const route = await startAlone(() => refusal(upstream, LIMITED));
      for (let nth = 1; nth <= 3; nth += 1) {
        assert.equal((await route.ask()).status, 429);
        assert.equal(route.asked(0).length, nth);
      }
    });

    itInTurn(pair, '400 or 429 for lack of credit', async () => {
      for (const status of [400, 429]) {
        const poor = () => ({ status, body: errorBody(upstream, { ...POOR, status }) });
        const route = await start(poor, { also: ['credit'] });
        await assertServedByNext(route, true);
        await route.ask();
        assert.deepEqual([route.asked(0).length, route.asked(1).length], [1, 2]);
        const answer = await (await start(poor)).ask();
        assert.deepEqual([answer.status, answer.error?.message], [status, POOR.message]);
      }
    });

    itInTurn(pair, '500 once, and no other upstream', async () => {
      let asked = 0;
      const route = await startAlone(() => (asked++ === 0 ? refusal(upstream, BROKEN) : HELLO));
      const answer = await route.ask();
      assert.deepEqual([answer.status, answer.isFinished, route.asked(0).length], [200, true, 2]);
    });

    itInTurn(pair, '503 or 529 from all', async () => {
      const second = () => refusal(upstream, { ...LIMITED, message: 'Words of the second.' });
      const route = await startRoute(pair, [() => refusal(upstream, OVERLOADED), second]);
      const { status, error } = await route.ask();
      assert.ok(status === 503 || status === 529, String(status));
      assert.deepEqual([error?.kind, error?.message], ['overloaded', 'Words of the first.']);
      assert.deepEqual([route.asked(0).length, route.asked(1).length], [1, 1]);
    });

    itInTurn(pair, 'connection refused or reset, unknown host, TLS error', async () => {
      const moved = await start(() => 'hang up');
      const ended = moved.nextRecord();
      await assertServedByNext(moved, true);
      const [failed] = (await ended).attempts ?? [];
      assert.deepEqual([failed?.failure, failed?.status], ['network', undefined]);
      let asked = 0;
      const alone = await startAlone(() => (asked++ === 0 ? 'hang up' : HELLO));
      assert.equal((await alone.ask()).text, HELLO.parts[0]?.text);
      assert.equal(alone.asked(0).length, 2);
    });

    itInTurn(pair, 'no headers in time', async () => {
      const route = await start(() => 'stay silent');
      const answer = route.ask();
      const first = await route.servers[0]?.request(0);
      passMinutes(11);
      assert.equal((await answer).text, HELLO.parts[0]?.text);
      assert.equal(await first?.ended, 'left');
    });

    itInTurn(pair, 'headers, but no output in time', async () => {
      const stalled = () => ({ ...HELLO, afterEvents: 1, ending: 'stall' as const });
      const route = await start(stalled, { limits: { firstTokenSeconds: 1 } });
      await assertServedByNext(route, true);
      assert.equal(await route.asked(0)[0]?.ended, 'left');
    });

    it('8. does not wait for the first output of an answer that is not streamed', async () => {
      const route = await startAlone(() => 'stay silent', { limits: { firstTokenSeconds: 0.05, totalSeconds: 0.5 } });
      const { status, error } = await route.ask({ stream: false });
      assert.deepEqual([status, route.asked(0).length], [504, 1]);
      assert.match(error?.message ?? '', /longer than the route's limit/);
    });

    itInTurn(pair, '200, then an error event, also after the first events', async () => {
      const preamble = EVENTS[upstream](HELLO, 'm')
        .slice(0, upstream === 'messages' ? 3 : 1)
        .join('');
      for (const before of ['', ': hello\n\n', preamble]) {
        const failing = () => ({ stream: before + errorEvent(upstream, LIMITED) });
        await assertServedByNext(await start(failing), true);
        const { status, error } = await (await startAlone(failing)).ask();
        assert.deepEqual([status, error?.message], [429, 'Words of the first.']);
      }
    });

    itInTurn(pair, '200 with an empty stream', async () => {
      const preamble = EVENTS[upstream](HELLO, 'm')[0] ?? '';
      for (const stream of ['', preamble]) {
        const silent = () => ({ stream });
        await assertServedByNext(await start(silent), true);
      }
      assert.equal((await (await startAlone(() => ({ stream: '' }))).ask()).status, 502);
    });

    it('11. counts malformed events as no output', async () => {
      const malformed = 'data: {"id":"x","choi\n\n';
      await assertServedByNext(await start(() => ({ stream: malformed })), true);
      assert.equal((await (await startAlone(() => ({ stream: malformed }))).ask()).status, 502);
      const whole = EVENTS[upstream](HELLO, 'm').join('');
      const recovered = await (await startAlone(() => ({ stream: malformed + whole }))).ask();
      assert.deepEqual([recovered.status, recovered.text], [200, HELLO.parts[0]?.text]);
    });

    itInTurn(pair, '200 with JSON that is an error or has no answer', async () => {
      const empty = { 'chat-completions': { choices: [] }, messages: {}, responses: {} }[upstream];
      for (const body of [errorBody(upstream, LIMITED), { id: 'x', ...empty }]) {
        await assertServedByNext(await start(() => ({ status: 200, body })), false);
      }
      const alone = await startAlone(() => ({ status: 200, body: errorBody(upstream, LIMITED) }));
      const { status, error } = await alone.ask({ stream: false });
      assert.deepEqual([status, error?.message], [429, 'Words of the first.']);
    });

    it('12. asks the next upstream if the answer has an unknown content encoding', async () => {
      const encoded = () => ({ status: 200, body: 'x', headers: { 'content-encoding': 'snappy' } });
      await assertServedByNext(await start(encoded), true);
      const { status, error } = await (await startAlone(encoded)).ask();
      assert.equal(status, 502);
      assert.match(error?.message ?? '', /content encoding snappy/);
    });

    itInTurn(pair, '200 with a web page', async () => {
      await assertServedByNext(await start(() => PAGE), true);
      const { status, error } = await (await startAlone(() => PAGE)).ask();
      assert.equal(status, 502);
      assert.ok(error?.message);
    });
  });
}
