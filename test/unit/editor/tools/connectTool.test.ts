import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalKeyStore } from '../../../../src/editor/gateway/localKeyStore.ts';
import { type ConnectionRequest, connect, disconnect } from '../../../../src/editor/tools/connectTool.ts';
import { reconnect } from '../../../../src/editor/tools/reconnect.ts';
import { ToolConnections } from '../../../../src/editor/tools/toolConnections.ts';
import { TOOLS } from '../../../../src/tools/toolList.ts';
import { memorySecrets, memoryState } from '../../../support/memorySecrets.ts';

const CODEX = TOOLS.find(({ id }) => id === 'codex') ?? assert.fail();
const ORIGINAL = 'model = "mine"\n';

describe('a tool that is connected', () => {
  let folder: string;
  let file: string;
  let services: Parameters<typeof connect>[1];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'connected-'));
    file = join(folder, 'config.toml');
    await writeFile(file, ORIGINAL);
    const log = { error: (_: string, error: unknown) => assert.fail(String(error)) };
    const localKeys = new LocalKeyStore(memorySecrets() as never, log as never);
    services = { localKeys, toolConnections: new ToolConnections(memoryState() as never) } as never;
  });
  afterEach(() => rm(folder, { recursive: true }));

  const wanted = (): ConnectionRequest => ({
    tool: CODEX,
    file,
    access: { address: 'http://127.0.0.1:8787/api/v1', model: 'small', contextWindow: 1 },
    name: 'codex',
    terms: {},
    aliases: {},
  });

  it('has one backup with the original text if it is connected again twice at the same time', async () => {
    await connect(wanted(), services);
    await Promise.all([connect(wanted(), services), connect(wanted(), services)]);
    const connection = services.toolConnections.find('codex') ?? assert.fail();
    assert.equal((await services.localKeys.read()).keys.filter(({ name }) => name === 'codex').length, 1);
    await disconnect(connection, services);
    assert.deepEqual([await readdir(folder), await readFile(file, 'utf8')], [['config.toml'], ORIGINAL]);
  });

  it('is disconnected once, also if it is connected again meanwhile', async () => {
    await connect(wanted(), services);
    const connection = services.toolConnections.find('codex') ?? assert.fail();
    await Promise.all([disconnect(connection, services), disconnect(connection, services)]);
    assert.deepEqual([services.toolConnections.all, await readFile(file, 'utf8')], [[], ORIGINAL]);
    assert.ok((await services.localKeys.read()).keys.every(({ name }) => name !== 'codex'));
  });

  it('is not given another address if it was disconnected while the user was asked', async () => {
    await connect(wanted(), services);
    const connection = services.toolConnections.find('codex') ?? assert.fail();
    await disconnect(connection, services);
    await reconnect(connection, { address: 'http://127.0.0.1:9999/api/v1' }, services);
    assert.deepEqual([services.toolConnections.all, await readFile(file, 'utf8')], [[], ORIGINAL]);
  });
});
