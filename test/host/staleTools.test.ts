import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { outdatedTools, reconnect } from '../../src/editor/tools/reconnect.ts';
import { isStale, type ToolConnection } from '../../src/editor/tools/toolConnections.ts';
import { changeFile } from '../../src/tools/configurationFile.ts';
import { TOOLS } from '../../src/tools/toolList.ts';
import { inSandbox } from './extension.ts';

const EARLIER = '{\n  // mine\n  "env": { "OTHER": "1" }\n}\n';
const ACCESS = { model: 'familya-haiku-4.5', contextWindow: 200_000 };
const [OLD, NEW] = ['http://127.0.0.1:1111/api/v1', 'http://127.0.0.1:2222/api/v1'];

describe('a tool configured with an earlier gateway address', () => {
  let services: Services;
  let folder: string;
  let file: string;

  before(async () => {
    services = await inSandbox();
  });
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'model-access-'));
    file = join(folder, 'settings.json');
    await writeFile(file, EARLIER);
  });
  afterEach(async () => {
    const { toolConnections, localKeys } = services;
    for (const connection of toolConnections.all) await toolConnections.restore(connection);
    const { keys } = await localKeys.read();
    for (const { id, name } of keys) if (name === 'stale') await localKeys.revoke(id);
    await rm(folder, { recursive: true });
  });

  async function connected(): Promise<{ connection: ToolConnection; secret: string }> {
    const tool = TOOLS.find(({ id }) => id === 'claude-code');
    assert.ok(tool?.configuration);
    const key = await services.localKeys.create('stale', {});
    const access = { ...ACCESS, address: OLD };
    const changes = tool.configuration.changes({ ...access, secret: key.secret });
    const changed = await changeFile(file, tool.configuration.format, changes);
    const connection = { tool: tool.id, key: key.id, file: changed, access };
    await services.toolConnections.add(connection);
    return { connection, secret: key.secret };
  }

  it('is detected as stale, but not if its configured address is unknown', async () => {
    const { connection } = await connected();
    assert.equal(isStale(connection, NEW), true);
    assert.equal(isStale(connection, OLD), false);
    const { access: _, ...earlier } = connection;
    assert.equal(isStale(earlier, NEW), false);
  });

  it('gets the new address with its key and model, and its file can still be restored byte for byte', async () => {
    const { connection, secret } = await connected();
    await reconnect(connection, { address: NEW }, services);
    const text = await readFile(file, 'utf8');
    assert.match(text, /127\.0\.0\.1:2222/);
    assert.doesNotMatch(text, /1111/);
    assert.ok(text.includes(secret) && text.includes(ACCESS.model) && text.includes('// mine'));
    const now = services.toolConnections.find('claude-code');
    assert.ok(now);
    assert.equal(isStale(now, NEW), false);
    await services.toolConnections.restore(now);
    assert.equal(await readFile(file, 'utf8'), EARLIER);
  });

  it('gets its snippet copied to the clipboard if it has no file', async () => {
    const key = await services.localKeys.create('stale', {});
    const connection = { tool: 'curl', key: key.id, access: { ...ACCESS, address: OLD } };
    await services.toolConnections.add(connection);
    await reconnect(connection, { address: NEW }, services);
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.includes(NEW) && copied.includes(key.secret));
  });

  it('cannot be reconnected once its key is revoked', async () => {
    const { connection } = await connected();
    await services.localKeys.revoke(connection.key);
    await assert.rejects(reconnect(connection, { address: NEW }, services), /Claude Code cannot be reconnected/);
    assert.match(await readFile(file, 'utf8'), /1111/);
  });

  it('gets the models of the catalog if its file lists them, and is then no longer outdated', async () => {
    const tool = TOOLS.find(({ id }) => id === 'opencode');
    assert.ok(tool?.configuration);
    await services.models.refresh();
    const { models } = services.models.state;
    const key = await services.localKeys.create('stale', {});
    const access = { ...ACCESS, address: OLD, others: [{ id: 'gone', contextWindow: 1000 }] };
    const { format, changes } = tool.configuration;
    const changed = await changeFile(file, format, changes({ ...access, secret: key.secret }));
    await services.toolConnections.add({ tool: tool.id, key: key.id, file: changed, access });
    // Claude Code asks the gateway for its models.
    const other = { tool: 'claude-code', key: key.id, file: changed, access };
    await services.toolConnections.add(other);
    const outdated = outdatedTools(services.toolConnections.all, models);
    assert.deepEqual(
      outdated.map((each) => each.tool),
      ['opencode'],
    );
    const [first] = outdated;
    assert.ok(first);
    await services.toolConnections.add({ tool: 'claude-code', key: key.id });
    const others = models.filter(({ id }) => id !== ACCESS.model).map(({ id }) => ({ id, contextWindow: 1 }));
    await reconnect(first, { others }, services);
    const text = await readFile(file, 'utf8');
    assert.match(text, /familyc-5\.4/);
    assert.doesNotMatch(text, /gone/);
  });
});
