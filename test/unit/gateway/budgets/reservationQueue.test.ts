import assert from 'node:assert/strict';
import { ReservationQueue } from '../../../../src/gateway/budgets/reservationQueue.ts';
import { send } from '../support/client.ts';
import { closeAll } from '../support/gateway.ts';
import { pathOf, question, startLimited, withBudget } from './limited.ts';

describe('requests whose budget is reserved by others', () => {
  afterEach(closeAll);

  /** Of a request's reservation, a hundredth is used. */
  const answer = () => ({ status: 200, body: { choices: [], usage: { prompt_tokens: 5, completion_tokens: 5 } } });

  it('wait for them, and are answered one after the other if the budget covers only one at once', async () => {
    const running = await startLimited(withBudget(300), answer);
    const call = { port: running.port, path: pathOf('chat-completions'), body: question('chat-completions') };
    const answers = await Promise.all(Array.from({ length: 7 }, () => send(call)));
    assert.deepEqual(
      answers.map(({ status }) => status),
      new Array<number>(7).fill(200),
    );
  });

  it('use all of a small budget that is more than one of them reserves, and never exceed it', async () => {
    const amount = 0.017_25;
    let asked = 0;
    /** Cost of the answers, in US dollars: from $0.0025 to $0.0050, at $10 per 1M tokens. */
    const costs = [0.0025, 0.003, 0.0035, 0.004, 0.0045, 0.005, 0.0025];
    const running = await startLimited(withBudget(amount, 'usd'), () => {
      const tokens = Math.round((costs[asked++ % costs.length] ?? 0) * 1e5);
      return { status: 200, body: { choices: [], usage: { prompt_tokens: 5, completion_tokens: tokens } } };
    });
    const body = question('chat-completions', { maxTokens: 850 });
    const reserved = (850 * 10 + Buffer.byteLength(body)) / 1e6;
    assert.ok(reserved > amount / 2 - 0.001 && reserved < amount / 2 + 0.001, 'only one or two fit at once');
    const call = { port: running.port, path: pathOf('chat-completions'), body };
    const answers = await Promise.all(Array.from({ length: 7 }, () => send(call)));
    const answered = answers.filter(({ status }) => status === 200).length;
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 402]));
    const spent = costs.slice(0, answered).reduce((sum, cost) => sum + cost, 0);
    assert.ok(spent > amount - reserved && spent <= amount, `${answered} answers for $${spent}`);
  });

  it('are refused at once if the budget does not cover them in any case', async () => {
    const running = await startLimited(withBudget(50), answer);
    const call = { port: running.port, path: pathOf('chat-completions'), body: question('chat-completions') };
    assert.equal((await send(call)).status, 402);
  });
});

describe('the queue for what is reserved', () => {
  it('lets the first request try first, each time something is released', async () => {
    const queue = new ReservationQueue();
    const tried: string[] = [];
    let left = 0;
    const waiting = ['one', 'two'].map((name) =>
      queue.retry('key', 'refused', async () => {
        tried.push(name);
        left -= 1;
        return left < 0 ? { refused: 'refused', mayWait: true } : undefined;
      }),
    );
    assert.ok(queue.hasWaiting('key'));
    left = 1;
    queue.released('key');
    assert.equal(await waiting[0], undefined);
    left = 1;
    queue.released('another key');
    queue.released('key');
    assert.equal(await waiting[1], undefined);
    assert.deepEqual(tried, ['one', 'two', 'two']);
  });

  it('ends after its time', async () => {
    const queue = new ReservationQueue({ maxWaitMs: 1 });
    assert.equal(await queue.retry('key', 'refused', async () => undefined), 'refused');
  });
});
