/** A configuration file that changes while the gateway reloads it, and ends. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { ConfigReload } from '../../../packages/gateway/src/cli/configReload.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { schedules } from '../../support/randomRuns.ts';

describe('a configuration that is reloaded, in any order of what is done and awaited', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reload-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is the last one that was written, and each upstream is closed once', async () => {
    const changes = fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), changes, async (scheduler, written) => {
        const order = new AnyOrder(scheduler);
        const path = join(folder, 'gateway.json');
        await writeFile(path, '0');
        const opened: number[] = [];
        const released: number[] = [];
        const [messages, used]: [string[], number[]] = [[], []];
        const configured = (number: number) => ({ upstream: number, localKeys: [], madeKeys: [], warnings: [] });
        const read = () => {
          const number = Number(readFileSync(path, 'utf8'));
          if (number < 0) throw new Error('It is not valid.');
          return configured(number);
        };
        const target = {
          gateway: {
            setLocalKeys: () => undefined,
            setEndingLoops: () => undefined,
            setMeasuringContext: () => undefined,
            setKnownSecrets: () => undefined,
            setUpstream: (upstream: number) => {
              used.push(upstream);
              return order.delay('the last request of the earlier upstream');
            },
          },
          upstreams: {
            open: async (number: number) => {
              await order.delay('open');
              opened.push(number);
              return number;
            },
            release: async (number: number) => {
              released.push(number);
            },
          },
          sandbox: {},
          onNewKeys: () => undefined,
          onMessage: (message: string) => messages.push(message),
          intervalMs: 0,
        };
        const reload = new ConfigReload({ path, read } as never, configured(0) as never, 0 as never, target as never);
        reload.watch();
        // Files of the same size that are written in the same moment look alike, unlike at the pace of a person.
        const write = (number: number, at: number) => writeFileSync(path, ' '.repeat(at + 1) + number);
        order.plan(written.map((number, at): Step => ({ what: `write ${number}`, act: () => write(number, at) })));
        await order.run();
        const isApplied = () => (used.at(-1) ?? 0) === (written.findLast((number) => number >= 0) ?? 0);
        const last = Number(await readFile(path, 'utf8'));
        await order.run(undefined, { until: () => last < 0 || isApplied() });
        order.plan([{ what: 'close', act: () => reload.close() }]);
        await order.run();
        assert.deepEqual(released.toSorted(), [0, ...opened].toSorted());
        if (last >= 0) assert.ok(isApplied(), 'an earlier configuration is used');
      }),
      { numRuns: schedules(60) },
    );
  });
});
