/** Tools that are connected, connected again, and disconnected at the same time. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { LocalKeyStore } from '../../../src/editor/gateway/localKeyStore.ts';
import { connect, disconnect } from '../../../src/editor/tools/connectTool.ts';
import { reconnect } from '../../../src/editor/tools/reconnect.ts';
import { ToolConnections } from '../../../src/editor/tools/toolConnections.ts';
import { TOOLS } from '../../../src/tools/toolList.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { memorySecrets, memoryState } from '../../support/memorySecrets.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action = 'connect' | 'disconnect' | 'reconnect' | 'rotate';

const ACTIONS: readonly Action[] = ['connect', 'connect', 'disconnect', 'reconnect', 'rotate'];
const ORIGINAL = 'model = "mine"\n';
const CODEX = TOOLS.find(({ id }) => id === 'codex') ?? assert.fail();

describe('connected tools, in any order of what is done and awaited', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'connected-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('have one key and one backup, and leave nothing behind when they are disconnected', async () => {
    const actions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const file = join(folder, 'config.toml');
        await writeFile(file, ORIGINAL);
        const log = { error: (_: string, error: unknown) => assert.fail(String(error)) };
        const localKeys = new LocalKeyStore(memorySecrets(order.delay) as never, log as never);
        const toolConnections = new ToolConnections(memoryState(order.delay) as never);
        const services = { localKeys, toolConnections } as never;
        const address = 'http://127.0.0.1:8787/api/v1';
        const access = { address, model: 'small', contextWindow: 1 };
        const wanted = { tool: CODEX, file, access, name: 'codex', terms: {}, aliases: {} };
        const connected = () => toolConnections.find('codex');
        const acts: Readonly<Record<Action, () => unknown>> = {
          connect: () => connect(wanted, services),
          disconnect: async () => {
            const connection = connected();
            if (connection !== undefined) await disconnect(connection, services);
          },
          reconnect: async () => {
            const connection = connected();
            if (connection !== undefined) await reconnect(connection, { address: `${address}/later` }, services);
          },
          rotate: async () => {
            const key = (await localKeys.read()).keys.find(({ name }) => name === 'codex');
            if (key !== undefined) await localKeys.rotate(key.id);
          },
        };
        order.plan(done.map((action): Step => ({ what: action, act: acts[action] })));
        await order.run();
        // A key that was revoked meanwhile cannot be rotated or given to the tool.
        for (const error of order.errors) assert.match(String(error), /no longer exists|cannot be reconnected/);
        const { length } = toolConnections.all;
        assert.ok(length <= 1);
        let keys = 0;
        order.plan([
          {
            what: 'end',
            act: async () => {
              keys = (await localKeys.read()).keys.filter(({ name }) => name === 'codex').length;
              const connection = connected();
              if (connection !== undefined) await disconnect(connection, services);
            },
          },
        ]);
        await order.run();
        assert.equal(keys, length, 'a key without a tool, or a tool without a key');
        assert.deepEqual([await readdir(folder), await readFile(file, 'utf8')], [['config.toml'], ORIGINAL]);
        localKeys.dispose();
      }),
      { numRuns: schedules(60) },
    );
  });
});
