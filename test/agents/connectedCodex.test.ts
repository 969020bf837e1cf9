import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../scripts/lib/temporaryFolder.ts';
import { changeFile, chooseFile } from '../../src/editor/tools/configurationFile.ts';
import { TOOLS } from '../../src/editor/tools/toolList.ts';
import { createSandbox } from '../../src/gateway/upstreams/sandbox/index.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater, startGateway } from '../unit/gateway/support/gateway.ts';
import { codexProgram, runCodex } from './support/codex.ts';

describe('Codex with the configuration that connecting it writes', () => {
  let program: string;
  before(function () {
    const found = codexProgram();
    if (found === undefined) this.skip();
    program = found;
  });
  afterEach(closeAll);

  it('gets an answer through the gateway', async () => {
    const home = await temporaryFolder();
    closeLater(() => home.remove());
    const { port } = await startGateway({ upstream: createSandbox({ delayMs: 0 }) });
    const configuration = TOOLS.find(({ id }) => id === 'codex')?.configuration;
    assert.ok(configuration !== undefined);
    const env = { CODEX_HOME: home.path };
    await writeFile(join(home.path, 'config.toml'), '# mine\nmodel = "other" # best\n\n[tui]\nanimations = false\n');
    const file = await chooseFile(configuration.files({ home: home.path, platform: process.platform, env }));
    const model = 'familyc-5.3-codex';
    const access = { address: `http://127.0.0.1:${port}/api/v1`, secret: LOCAL_KEY, model, contextWindow: 128_000 };
    await changeFile(file, configuration.format, configuration.changes(access));
    const options = { port, key: 'none', model, folder: home.path, home: home.path, prompt: 'echo: from the file' };
    const run = await runCodex(program, options);
    assert.equal(run.code, 0, run.output);
    assert.match(run.answer, /from the file|sandbox/);
  });
});
