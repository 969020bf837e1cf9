import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Delivery, type Step } from '../../../../../src/gateway/upstreams/sandbox/delivery.ts';
import { balanceOf, quickSandbox, RecordingSink, send, sentQuestion } from './ask.ts';
import { elapse } from './elapse.ts';

const START: Step = { type: 'start', status: 200, headers: {} };

function chunk(text: string): Step {
  return { type: 'data', chunk: text };
}

function* stepsOf(...list: readonly Step[]): Generator<Step, void> {
  yield* list;
}

describe('The delivery of an answer', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('starts after the call was returned', () => {
    const sink = new RecordingSink();
    new Delivery(stepsOf(START, chunk('a')), sink);
    assert.equal(sink.status, 0);
    elapse(1);
    assert.equal(sink.text, 'a');
    assert.equal(sink.over, true);
  });

  it('waits as long as a step specifies', () => {
    const sink = new RecordingSink();
    new Delivery(stepsOf(START, chunk('a'), { type: 'wait', ms: 50 }, chunk('b')), sink);
    elapse(50);
    assert.equal(sink.text, 'a');
    elapse(1);
    assert.equal(sink.text, 'ab');
  });

  it('stops when it is paused, and continues where it was', () => {
    const sink = new RecordingSink();
    const call = new Delivery(stepsOf(START, chunk('a'), { type: 'wait', ms: 50 }, chunk('b')), sink);
    elapse(1);
    call.pause();
    elapse(500);
    assert.equal(sink.text, 'a');
    call.resume();
    assert.equal(sink.text, 'ab');
  });

  it('does not shorten a wait in which it is resumed', () => {
    const sink = new RecordingSink();
    const call = new Delivery(stepsOf(START, { type: 'wait', ms: 50 }, chunk('b')), sink);
    elapse(1);
    call.pause();
    call.resume();
    assert.equal(sink.text, '');
    elapse(50);
    assert.equal(sink.text, 'b');
  });

  it('pauses if the client reads slowly', () => {
    const sink = new RecordingSink((chunks) => chunks !== 2);
    const call = new Delivery(stepsOf(START, chunk('a'), chunk('b'), chunk('c')), sink);
    elapse(1);
    assert.equal(sink.text, 'ab');
    call.resume();
    assert.equal(sink.text, 'abc');
  });

  it('survives a pause and a resume from within the sink', () => {
    const calls: Delivery[] = [];
    const sink = new RecordingSink(() => {
      calls[0]?.pause();
      calls[0]?.resume();
      return true;
    });
    calls.push(new Delivery(stepsOf(START, chunk('a'), chunk('b')), sink));
    elapse(1);
    assert.equal(sink.text, 'ab');
  });

  it('sends nothing to the sink after it was cancelled, and lets the steps clean up once', () => {
    const cleaned: string[] = [];
    function* steps(): Generator<Step, void> {
      try {
        yield* stepsOf(START, chunk('a'), { type: 'wait', ms: 10 }, chunk('b'));
      } finally {
        cleaned.push('cleaned');
      }
    }
    const sink = new RecordingSink();
    const call = new Delivery(steps(), sink);
    elapse(1);
    call.cancel();
    call.cancel();
    call.resume();
    elapse(1_000);
    assert.equal(sink.text, 'a');
    assert.equal(sink.over, false);
    assert.deepEqual(cleaned, ['cleaned']);
  });

  it('can be cancelled before it starts and from within the sink', () => {
    const before = new RecordingSink();
    new Delivery(stepsOf(START), before).cancel();
    const calls: Delivery[] = [];
    const within = new RecordingSink(() => {
      calls[0]?.cancel();
      return true;
    });
    calls.push(new Delivery(stepsOf(START, chunk('a'), chunk('b')), within));
    elapse(1_000);
    assert.equal(before.status, 0);
    assert.equal(within.text, 'a');
    assert.equal(within.over, false);
  });

  it('passes an error to the sink if the steps throw', async () => {
    const sink = new RecordingSink();
    // biome-ignore lint/correctness/useYield: these steps fail before the first.
    function* steps(): Generator<Step, void> {
      throw new Error('broken');
    }
    new Delivery(steps(), sink);
    elapse(1);
    const { failure } = await sink.done;
    assert.equal(failure?.kind, 'server');
    assert.match(failure?.message ?? '', /broken/);
  });
});

describe('A stream of the sandbox', () => {
  const question = sentQuestion({ text: 'write 400 words', request: { stream: true } });

  it('is cancelled immediately, and costs what was produced', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const sandbox = quickSandbox({ delayMs: 10 });
    const sink = new RecordingSink();
    const call = send(sandbox, question, sink);
    elapse(500);
    const chunks = sink.chunks.length;
    call.cancel();
    elapse(5_000);
    mock.timers.reset();
    assert.ok(chunks > 10 && chunks < 100);
    assert.equal(sink.chunks.length, chunks);
    assert.equal(sink.over, false);

    const whole = quickSandbox();
    const wholeSink = new RecordingSink();
    send(whole, question, wholeSink);
    await wholeSink.done;
    const part = (await balanceOf(sandbox)).used;
    assert.ok(part > 0 && part < (await balanceOf(whole)).used / 2);
  });

  it('costs its input if it is cancelled before the first byte', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const sandbox = quickSandbox();
    const call = send(
      sandbox,
      sentQuestion({ model: 'familyb-3.1-pro+slow', request: { stream: true } }),
      new RecordingSink(),
    );
    elapse(10);
    call.cancel();
    mock.timers.reset();
    const { used } = await balanceOf(sandbox);
    assert.ok(used > 0 && used < 0.0001);
  });

  it('waits for a slow reader up to the last event', async () => {
    const sandbox = quickSandbox();
    const calls: { resume(): void }[] = [];
    let refused = 0;
    const sink = new RecordingSink(() => {
      refused += 1;
      setImmediate(() => calls[0]?.resume());
      return false;
    });
    calls.push(send(sandbox, question, sink));
    const { text } = await sink.done;
    assert.ok(refused > 400);
    assert.match(text, /\[DONE\]\n\n$/);
  });

  it('keeps no timer after it has ended', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const sandbox = quickSandbox();
    const sink = new RecordingSink();
    const call = send(sandbox, sentQuestion({ model: 'familyb-3.1-pro+slow' }), sink);
    assert.equal(timers(), before + 1);
    call.cancel();
    assert.equal(timers(), before);
    await sandbox.close();
  });
});
