import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import type { Services } from '../../src/editor/services.ts';
import { WINDOW_HEADER } from '../../src/rules/windowMark.ts';
import { inSandbox } from './extension.ts';
import { variablesOfNewTerminal, variablesOnce } from './terminalVariables.ts';

describe('terminals in the editor', () => {
  let services: Services;
  let untouched: Record<string, string>;

  before(async () => {
    services = await inSandbox();
    untouched = await variablesOfNewTerminal();
  });
  afterEach(async () => {
    await services.settings.set('terminals.useGateway', false);
    await services.gateway.stop();
    for (const { id, name } of (await services.localKeys.read()).keys) {
      if (name === 'Terminals') await services.localKeys.revoke(id);
    }
  });

  const terminalKey = async () => (await services.localKeys.read()).keys.find(({ name }) => name === 'Terminals');

  it('withhold the key from an unconnected Codex, which would send it to its vendor', async () => {
    const before = process.env.CODEX_HOME;
    process.env.CODEX_HOME = tmpdir();
    try {
      await services.settings.set('terminals.useGateway', true);
      const { address } = await services.gateway.start(0);
      const base = marked(address, '/api');
      const given = await variablesOnce(({ ANTHROPIC_BASE_URL = '' }) => base.test(ANTHROPIC_BASE_URL));
      assert.match(given.ANTHROPIC_BASE_URL ?? '', base);
      for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_BASE', 'OPENAI_API_KEY']) {
        assert.equal(given[name], untouched[name], name);
      }
    } finally {
      if (before === undefined) delete process.env.CODEX_HOME;
      else process.env.CODEX_HOME = before;
    }
  });

  it('use the gateway only while it runs and the option is on', async () => {
    await services.settings.set('terminals.useGateway', true);
    assert.deepEqual(await variablesOfNewTerminal(), untouched, 'nothing before the gateway runs');
    const { address } = await services.gateway.start(0);
    const base = marked(address, '/api/v1');
    const given = await variablesOnce(({ OPENAI_BASE_URL = '' }) => base.test(OPENAI_BASE_URL));
    const { OPENAI_BASE_URL = '' } = given;
    assert.match(OPENAI_BASE_URL, base);
    const secret = (await terminalKey())?.secret;
    assert.ok(secret !== undefined);
    assert.deepEqual(given, {
      OPENAI_BASE_URL,
      OPENAI_API_BASE: OPENAI_BASE_URL,
      OPENAI_API_KEY: secret,
      ANTHROPIC_BASE_URL: OPENAI_BASE_URL.replace('/api/v1', '/api'),
      ANTHROPIC_AUTH_TOKEN: secret,
      ANTHROPIC_API_KEY: '',
    });
    const models = await fetch(`${OPENAI_BASE_URL}/models`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal(models.status, 200);
    await services.settings.set('terminals.useGateway', false);
    await variablesOnce((variables) => variables.OPENAI_BASE_URL === untouched.OPENAI_BASE_URL);
    await services.settings.set('terminals.useGateway', true);
    const again = await variablesOnce((variables) => variables.OPENAI_BASE_URL === OPENAI_BASE_URL);
    assert.equal(again.OPENAI_BASE_URL, OPENAI_BASE_URL, 'the mark of the window stays');
    await services.gateway.stop();
    assert.deepEqual(await variablesOnce((variables) => variables.OPENAI_BASE_URL !== OPENAI_BASE_URL), untouched);
  });

  it('name their window to connected tools, even if they do not use the gateway themselves', async () => {
    const { toolConnections } = services;
    const connections = ['codex', 'claude-code'].map((tool) => ({ tool, key: 'none' }));
    for (const connection of connections) await toolConnections.add(connection);
    try {
      const given = await variablesOnce(({ MODEL_ACCESS_WINDOW }) => MODEL_ACCESS_WINDOW !== undefined);
      const { MODEL_ACCESS_WINDOW: mark = '' } = given;
      assert.match(mark, /^[\w-]{16}$/);
      const headers = { ANTHROPIC_CUSTOM_HEADERS: `${WINDOW_HEADER}: ${mark}` };
      assert.deepEqual(given, { ...untouched, MODEL_ACCESS_WINDOW: mark, ...headers });
    } finally {
      for (const connection of connections) await toolConnections.restore(connection);
    }
    const isGone = ({ MODEL_ACCESS_WINDOW }: Record<string, string>) => MODEL_ACCESS_WINDOW === undefined;
    assert.deepEqual(await variablesOnce(isGone), untouched);
  });

  it('get a new key when theirs is revoked', async () => {
    await services.settings.set('terminals.useGateway', true);
    await services.gateway.start(0);
    await variablesOnce(({ OPENAI_API_KEY }) => OPENAI_API_KEY !== untouched.OPENAI_API_KEY);
    const first = await terminalKey();
    assert.ok(first !== undefined);
    await services.localKeys.revoke(first.id);
    const { OPENAI_API_KEY } = await variablesOnce((variables) => variables.OPENAI_API_KEY !== first.secret);
    assert.equal(OPENAI_API_KEY, (await terminalKey())?.secret);
  });

  it('have no separate key unless the option is on', async () => {
    await services.gateway.start(0);
    assert.deepEqual(await variablesOfNewTerminal(), untouched);
    assert.equal(await terminalKey(), undefined);
  });
});

/** The address with the mark of this window. */
function marked(address: string, path: string): RegExp {
  return new RegExp(`^${address.replace('/api/v1', '')}/window/[\\w-]{16}${path}$`);
}
