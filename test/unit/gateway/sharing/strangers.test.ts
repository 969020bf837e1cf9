import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sharedSecret } from '../../../../src/gateway/sharing/sharedSecret.ts';
import { listenOn, portOf } from '../../../support/ports.ts';
import { closeWindows, sharedFiles } from './editorWindow.ts';
import { LocalWindow } from './localWindow.ts';

describe('a window whose port is in use', () => {
  afterEach(closeWindows);

  it('reports it if a window of another user has the port', async () => {
    const { port } = await new LocalWindow(sharedFiles()).listen();
    const window = new LocalWindow(sharedFiles());
    window.start({ port });
    assert.equal((await window.take('failed')).code, 'EADDRINUSE');
  });

  it('reports it if another program has the port, and can use another port', async () => {
    const blocker = await listenOn(0);
    const window = new LocalWindow(sharedFiles());
    window.start({ port: portOf(blocker) });
    assert.equal((await window.take('failed')).code, 'EADDRINUSE');
    blocker.close();
    assert.equal((await window.listen({ port: 0 })).owner, 'self');
  });
});

describe('the secret that the windows share', () => {
  afterEach(closeWindows);

  it('is the same for all that start at the same time, and readable by the user only', async () => {
    const { secret: path } = sharedFiles();
    const secrets = await Promise.all(Array.from({ length: 8 }, () => sharedSecret(path)));
    assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1);
    assert.equal(secrets[0]?.length, 32);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('is in a folder that others cannot change, even if an earlier version created it', async function () {
    if (process.platform === 'win32') this.skip();
    const folder = dirname(sharedFiles().secret);
    chmodSync(folder, 0o777);
    const files = { secret: join(folder, 'link.key'), presence: join(folder, 'running.json') };
    writeFileSync(files.presence, '{}');
    chmodSync(files.presence, 0o666);
    await sharedSecret(files.secret);
    const modes = [folder, files.secret, files.presence].map((path) => (statSync(path).mode & 0o777).toString(8));
    assert.deepEqual(modes, ['700', '600', '600']);
  });

  it('is rejected if others could read it in a folder that they can access', async function () {
    if (process.platform === 'win32') this.skip();
    const { secret: path } = sharedFiles();
    await sharedSecret(path);
    chmodSync(path, 0o644);
    chmodSync(dirname(path), 0o755);
    await assert.rejects(sharedSecret(path), /Other users can read/);
  });

  it('stays the same', async () => {
    const { secret: path } = sharedFiles();
    const first = await sharedSecret(path);
    assert.deepEqual(await sharedSecret(path), first);
    assert.ok(readFileSync(path, 'utf8').includes(first.toString('base64url')));
  });

  it('is rejected if others may read it, or if it is too short', async () => {
    const { secret: path } = sharedFiles();
    writeFileSync(path, 'short', { mode: 0o600 });
    await assert.rejects(sharedSecret(path), /is not valid/);
    const { secret: open } = sharedFiles();
    await sharedSecret(open);
    if (process.platform === 'win32') return;
    chmodSync(open, 0o644);
    await assert.rejects(sharedSecret(open), /Other users can read/);
  });
});
