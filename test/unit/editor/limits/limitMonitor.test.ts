import assert from 'node:assert/strict';
import { LimitMonitor, type LimitServices } from '../../../../src/editor/limits/limitMonitor.ts';
import { window } from '../../../support/editorApi/vscode.ts';

const never = () => ({ dispose: () => undefined });

describe('the limits of the service key', () => {
  const { answer } = window;
  let questions: number;

  beforeEach(() => {
    questions = 0;
    window.answer = async () => {
      questions += 1;
      return undefined;
    };
  });
  afterEach(() => {
    window.answer = answer;
  });

  /** A limit of one dollar a day, and what the ledger says was spent of it. */
  function monitorWith(spent: () => Promise<number>): LimitMonitor {
    const services = {
      worker: { rpc: { readLedger: async () => ({ daily: await spent(), monthly: 0 }) }, onDidExchange: never },
      ledger: 'ledger',
      calls: { onDidRecord: never },
      connection: { open: { kind: 'hosted' }, onDidChange: never },
      settings: { spendingLimits: { daily: 1 }, onDidChange: never },
      log: { warn: (_: string, error: unknown) => assert.fail(String(error)) },
    };
    return new LimitMonitor(services as unknown as LimitServices);
  }

  it('let one of two requests pass that are checked at the same time, and ask about the other', async () => {
    const monitor = monitorWith(async () => 0.5);
    const reserved = await Promise.all([monitor.reserve(0.4), monitor.reserve(0.4)]);
    assert.deepEqual([reserved.filter((one) => one !== undefined).length, questions], [1, 1]);
    monitor.dispose();
  });

  it('count what is reserved until the sums of the ledger include it', async () => {
    let spent = 0.5;
    const monitor = monitorWith(async () => spent);
    const release = await monitor.reserve(0.4);
    release?.();
    spent = 0.6;
    assert.ok(await monitor.reserve(0.3));
    assert.equal(questions, 0);
    monitor.dispose();
  });

  it('are those of the read that began last', async () => {
    const [first, second] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
    const reads = [first.promise, second.promise];
    const monitor = monitorWith(() => reads.shift() ?? assert.fail('It reads again.'));
    const refreshed = [monitor.refresh(), monitor.refresh()];
    second.resolve(0.9);
    await refreshed[1];
    first.resolve(0.1);
    await refreshed[0];
    assert.deepEqual(
      monitor.states.map(({ spent }) => spent),
      [0.9],
    );
    monitor.dispose();
  });
});
