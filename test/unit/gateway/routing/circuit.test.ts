import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Circuit } from '../../../../src/gateway/routing/circuit.ts';

const SECOND = 1000;

describe('the circuit breaker of an upstream', () => {
  let circuit: Circuit;
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    circuit = new Circuit();
  });
  afterEach(() => mock.timers.reset());

  const open = () => {
    for (let nth = 0; nth < 3; nth += 1) circuit.failed();
    assert.ok(circuit.isOpen);
  };
  /** Lets time pass, and the probe that is due then answer. */
  const pass = async (seconds: number) => {
    mock.timers.tick(seconds * SECOND);
    await new Promise((resolve) => setImmediate(resolve));
  };

  it('probes after 1, 2, 4, 8, and then every 15 seconds, until there is an answer', async () => {
    let probes = 0;
    let isAlive = false;
    circuit.attach(async () => {
      probes += 1;
      return isAlive;
    });
    open();
    for (const [nth, seconds] of [1, 2, 4, 8, 15, 15].entries()) {
      await pass(seconds - 0.001);
      assert.equal(probes, nth);
      await pass(0.001);
      assert.equal(probes, nth + 1);
    }
    isAlive = true;
    await pass(15);
    assert.ok(!circuit.isOpen);
    circuit.failed();
    assert.ok(circuit.isOpen);
  });

  it('has been failing since the first of the failures in a row, while it is open', () => {
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 5 * SECOND });
    circuit.failed();
    circuit.succeeded();
    mock.timers.tick(SECOND);
    circuit.failed();
    assert.equal(circuit.failingSince, undefined);
    mock.timers.tick(SECOND);
    open();
    assert.equal(circuit.failingSince, 6 * SECOND);
    circuit.succeeded();
    assert.equal(circuit.failingSince, undefined);
  });

  it('is closed by an answer during a probe, whose result is then ignored', async () => {
    const { promise, resolve: answer } = Promise.withResolvers<boolean>();
    circuit.attach(() => promise);
    open();
    await pass(1);
    circuit.succeeded();
    assert.ok(!circuit.isOpen);
    answer(false);
    await pass(0);
    assert.ok(!circuit.isOpen);
  });

  it('is probed by the remaining router when another one closes', async () => {
    const probed: string[] = [];
    const probeOf = (name: string) => async () => {
      probed.push(name);
      return false;
    };
    const [first, second] = [probeOf('first'), probeOf('second')];
    circuit.attach(first);
    circuit.attach(second);
    open();
    await pass(1);
    circuit.release(second);
    assert.ok(circuit.isOpen);
    await pass(2);
    circuit.release(first);
    assert.ok(!circuit.isOpen);
    await pass(60);
    assert.deepEqual(probed, ['second', 'first']);
  });
});
