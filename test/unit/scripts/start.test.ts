import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../../../scripts/lib/paths.ts';
import { listenOn, portOf } from '../../support/ports.ts';

describe('npm start', () => {
  const start = (port: string) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'start.ts'), '--no-open', '--port', port]);

  it('says in a sentence that its port is in use, before it builds anything', async () => {
    const server = await listenOn(0);
    const port = String(portOf(server));
    try {
      await assert.rejects(start(port), {
        code: 1,
        stdout: '',
        stderr: `Port ${port} is already in use. Choose another one, or omit --port for any free port.\n`,
      });
    } finally {
      server.close();
    }
  });

  it('says in a sentence that something is not a port', async () => {
    await assert.rejects(start('web'), { code: 1, stdout: '', stderr: '--port web is not a port.\n' });
  });
});
