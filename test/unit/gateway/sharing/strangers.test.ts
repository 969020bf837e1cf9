import assert from 'node:assert/strict';
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { sharedSecret } from '../../../../src/gateway/sharing/sharedSecret.ts';
import { listenOn, portOf } from '../../../support/ports.ts';
import { buildWorker, closeWindows, EditorWindow, removeWorker, sharedFiles } from './windows.ts';

describe('a window whose port is taken', () => {
  before(buildWorker);
  after(removeWorker);
  afterEach(closeWindows);

  it('says so when a window of somebody else has it', async () => {
    const { port } = await new EditorWindow(sharedFiles()).listen();
    const window = new EditorWindow(sharedFiles());
    window.start({ port });
    assert.equal((await window.take('failed')).code, 'EADDRINUSE');
  });

  it('says so when another program has it, and can take another port', async () => {
    const blocker = await listenOn(0);
    const window = new EditorWindow(sharedFiles());
    window.start({ port: portOf(blocker) });
    assert.equal((await window.take('failed')).code, 'EADDRINUSE');
    blocker.close();
    assert.equal((await window.listen({ port: 0 })).owner, 'self');
  });
});

describe('the secret that the windows share', () => {
  afterEach(closeWindows);

  it('is one for all who come at once, and can be read by the user alone', async () => {
    const { secret: path } = sharedFiles();
    const secrets = await Promise.all(Array.from({ length: 8 }, () => sharedSecret(path)));
    assert.equal(new Set(secrets.map((secret) => secret.toString('hex'))).size, 1);
    assert.equal(secrets[0]?.length, 32);
    if (process.platform !== 'win32') assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('stays the same', async () => {
    const { secret: path } = sharedFiles();
    const first = await sharedSecret(path);
    assert.deepEqual(await sharedSecret(path), first);
    assert.ok(readFileSync(path, 'utf8').includes(first.toString('base64url')));
  });

  it('is refused when others may read it, or when it is too short', async () => {
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
