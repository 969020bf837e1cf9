import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Services } from '../../src/editor/services.ts';
import { type ConnectionRequest, connect, disconnect } from '../../src/editor/tools/connectTool.ts';
import { TOOLS } from '../../src/tools/toolList.ts';
import { inSandbox } from './extension.ts';

const EARLIER = '{\n  // mine\n  "model": "kilo/other"\n}\n';
const NAME = 'kilo for tests';

describe('connecting a tool', () => {
  let services: Services;
  let folder: string;
  let file: string;

  const tool = TOOLS.find(({ id }) => id === 'kilo-code') ?? assert.fail();

  before(async () => {
    services = await inSandbox();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-access-'));
    file = join(folder, 'kilo.jsonc');
    await writeFile(file, EARLIER);
  });
  afterEach(async () => {
    const connection = connected();
    if (connection !== undefined) await disconnect(connection, services);
    await rm(folder, { recursive: true });
  });

  const connected = () => services.toolConnections.find(tool.id);
  const keys = async () => (await services.localKeys.read()).keys.filter(({ name }) => name === NAME);

  function wanted(change: Partial<ConnectionRequest> = {}): ConnectionRequest {
    const access = { address: 'http://127.0.0.1:1111/api/v1', model: 'familya-haiku-4.5', contextWindow: 200_000 };
    return { tool, file, access, name: NAME, terms: {}, aliases: {}, ...change };
  }

  it('writes the tool’s file and restores it completely', async () => {
    const { secret } = await connect(wanted(), services);
    const text = await readFile(file, 'utf8');
    assert.ok(text.includes(secret) && text.includes('"model-access/familya-haiku-4.5"') && text.includes('// mine'));
    const connection = connected();
    assert.ok(connection);
    assert.ok(!JSON.stringify(connection).includes(secret), 'the key is remembered');
    await disconnect(connection, services);
    assert.equal(await readFile(file, 'utf8'), EARLIER);
    assert.deepEqual(await keys(), []);
  });

  it('keeps the local key and the restore data when connecting again with other limits', async () => {
    const first = await connect(wanted(), services);
    const terms = { budgets: [{ amount: 5, unit: 'usd', period: 'daily' }] } as const;
    const access = { ...wanted().access, model: 'familya-opus-4.6' };
    const second = await connect(wanted({ terms, access }), services);
    assert.equal(second.secret, first.secret);
    assert.deepEqual(
      (await keys()).map(({ budgets }) => budgets),
      [terms.budgets],
    );
    const text = await readFile(file, 'utf8');
    assert.ok(text.includes('familya-opus-4.6') && !text.includes('familya-haiku-4.5'), text);
    const connection = connected();
    assert.ok(connection);
    await disconnect(connection, services);
    assert.equal(await readFile(file, 'utf8'), EARLIER);
  });

  it('leaves no local key and no connection behind if the file cannot be changed', async () => {
    await writeFile(file, '{ "model": [ \n');
    await assert.rejects(connect(wanted(), services));
    assert.deepEqual(await keys(), []);
    assert.equal(connected(), undefined);
    assert.equal(await readFile(file, 'utf8'), '{ "model": [ \n');
  });

  it('restores the file if what follows fails, because the key in it is revoked', async () => {
    const set = () => Promise.reject(new Error('The settings cannot be parsed.'));
    const settings = { writtenAliases: {}, set } as unknown as Services['settings'];
    const failing = connect(wanted({ aliases: { small: 'familya-haiku-4.5' } }), { ...services, settings });
    await assert.rejects(failing, /cannot be parsed/);
    assert.deepEqual(await keys(), []);
    assert.equal(connected(), undefined);
    assert.equal(await readFile(file, 'utf8'), EARLIER);
    assert.deepEqual(await readdir(folder), ['kilo.jsonc']);
  });

  it('writes nothing if a link has changed since the page showed the file', async () => {
    const other = join(folder, 'other.jsonc');
    await writeFile(other, EARLIER);
    await assert.rejects(connect(wanted({ shown: other }), services), /now points to/);
    assert.deepEqual(await keys(), []);
    assert.deepEqual(await Promise.all([file, other].map((path) => readFile(path, 'utf8'))), [EARLIER, EARLIER]);
  });
});
