import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../../scripts/lib/temporaryFolder.ts';
import { WindowBranches } from '../../src/gateway/core/windowBranches.ts';
import { Sandbox } from '../../src/gateway/upstreams/sandbox/sandbox.ts';
import { WINDOW_VARIABLE } from '../../src/rules/windowMark.ts';
import { catalog } from '../../src/sandbox/catalog.ts';
import { changeFile, chooseFile } from '../../src/tools/configurationFile.ts';
import { proposeAliases } from '../../src/tools/toolAliases.ts';
import { TOOLS } from '../../src/tools/toolList.ts';
import type { Script } from '../support/modelServer/modelServer.ts';
import { LOCAL_KEY } from '../unit/gateway/support/client.ts';
import { closeAll, closeLater, startGateway } from '../unit/gateway/support/gateway.ts';
import { startRouter } from '../unit/gateway/support/routed.ts';
import { type CodexOptions, needCodex, runCodex } from './support/codex.ts';

const SHOP = { repository: 'orchard/shop', branch: 'feature/totals' };
/** Enough for a few seconds. */
const MAX_COMMANDS = 200;

describe('Codex with the configuration written by Connect a Tool', () => {
  const program = needCodex();
  afterEach(closeAll);

  const codex = TOOLS.find(({ id }) => id === 'codex');
  assert.ok(codex?.configuration !== undefined);
  const { configuration } = codex;

  async function connect(port: number, model: string): Promise<Omit<CodexOptions, 'prompt'>> {
    const home = await temporaryFolder();
    closeLater(() => home.remove());
    const env = { CODEX_HOME: home.path };
    await writeFile(join(home.path, 'config.toml'), '# mine\nmodel = "other" # best\n\n[tui]\nanimations = false\n');
    const file = await chooseFile(configuration.files({ home: home.path, platform: process.platform, env }));
    const access = { address: `http://127.0.0.1:${port}/api/v1`, secret: LOCAL_KEY, model, contextWindow: 128_000 };
    await changeFile(file, configuration.format, configuration.changes(access));
    return { port, key: 'none', model, folder: home.path, home: home.path };
  }

  it('gets an answer through the gateway', async () => {
    const { port, records } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
    const run = await runCodex(program(), {
      ...(await connect(port, 'familyc-5.3-codex')),
      prompt: 'echo: from the file',
    });
    assert.equal(run.code, 0, run.output);
    assert.match(run.answer, /from the file|sandbox/);
    assert.ok(records.some(({ endpoint }) => endpoint === '/models'));
    // It says so if it has to assume the properties of the model.
    assert.doesNotMatch(run.output, /metadata/i);
  });

  for (const transport of ['HTTP', 'a WebSocket']) {
    it(`names the window of its terminal over ${transport}`, async () => {
      const branches = new WindowBranches();
      branches.set({}, { mark: 'mark', branch: SHOP });
      const upstream = new Sandbox({ delayMs: 0 });
      const { port, records, gateway } = await startGateway({ upstream, findBranch: branches.find });
      gateway.setRecordingRepositories(true);
      const isOverSocket = transport === 'a WebSocket';
      const run = async (variables: Readonly<Record<string, string>>) => {
        const connected = await connect(port, 'familyc-5.3-codex');
        const settings = isOverSocket ? ['model_providers.model_access.supports_websockets=true'] : [];
        const { code, output } = await runCodex(program(), { ...connected, prompt: 'echo: Hi', settings, variables });
        assert.equal(code, 0, output);
        const answered = records.filter(({ endpoint }) => endpoint === '/responses');
        return answered.map(({ repository, branch }) => ({ repository, branch }));
      };
      const [marked] = await run({ [WINDOW_VARIABLE]: 'mark' });
      assert.deepEqual(marked, SHOP);
      const unmarked = (await run({})).at(-1);
      assert.deepEqual(unmarked, { repository: undefined, branch: undefined });
    });
  }

  it('lists all models of the gateway', async () => {
    const { port } = await startGateway({ upstream: new Sandbox({ delayMs: 0 }) });
    const { home } = await connect(port, 'familyc-5.3-codex');
    const env = { ...process.env, HOME: home, CODEX_HOME: home };
    const { stdout } = await promisify(execFile)(program(), ['debug', 'models'], { env });
    const listed = (JSON.parse(stdout).models as { slug: string }[]).map(({ slug }) => slug);
    assert.deepEqual(
      listed,
      catalog.map(({ id }) => id),
    );
  });

  it('gets answers for its memory feature, which requests a model that is not configured', async () => {
    const offered = { upstreams: [], aliases: {}, models: ['main', 'small'], routes: {} };
    const asked = new Set<unknown>();
    let commands = 0;
    /** Gives Codex commands until it has processed its memory, which it stops when the answer ends. */
    const script: Script = ({ body: { model } }) => {
      asked.add(model);
      const isOver = model !== 'main' || asked.size > 1 || commands === MAX_COMMANDS;
      if (isOver) return { parts: [{ text: 'Done.' }] };
      commands += 1;
      return { parts: [{ call: `call_${commands}`, name: 'exec_command', arguments: '{"cmd":"true"}' }] };
    };
    const aliases = proposeAliases(codex, 'small', offered, {});
    const { port, records } = await startRouter([{ formats: ['responses'], script }], aliases);
    const settings = ['features.memories=true', 'memories.generate_memories=true', 'memories.min_rollout_idle_hours=0'];
    const run = await runCodex(program(), { ...(await connect(port, 'main')), settings, prompt: 'Begin.' });
    assert.equal(run.code, 0, run.output);
    assert.deepEqual([...asked].sort(), ['main', 'small']);
    assert.deepEqual([...new Set(records.map(({ status }) => status))], [200]);
  });
});
