import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { inSandbox } from './extension.ts';

const NAMES = [
  'OPENAI_BASE_URL',
  'OPENAI_API_BASE',
  'OPENAI_API_KEY',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
];

describe('terminals in the editor', () => {
  let services: Services;
  let untouched: Record<string, string>;

  before(async () => {
    services = await inSandbox();
    untouched = await variablesOfNewTerminal();
  });
  afterEach(async () => {
    await services.settings.setTerminalsUseGateway(false);
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
      await services.settings.setTerminalsUseGateway(true);
      const { address } = await services.gateway.start(0);
      const base = address.replace('/api/v1', '/api');
      const given = await variablesOnce((variables) => variables.ANTHROPIC_BASE_URL === base);
      for (const name of ['OPENAI_BASE_URL', 'OPENAI_API_BASE', 'OPENAI_API_KEY']) {
        assert.equal(given[name], untouched[name], name);
      }
    } finally {
      if (before === undefined) delete process.env.CODEX_HOME;
      else process.env.CODEX_HOME = before;
    }
  });

  it('use the gateway only while it runs and the option is on', async () => {
    await services.settings.setTerminalsUseGateway(true);
    assert.deepEqual(await variablesOfNewTerminal(), untouched, 'nothing before the gateway runs');
    const { address } = await services.gateway.start(0);
    const given = await variablesOnce((variables) => variables.OPENAI_BASE_URL === address);
    const secret = (await terminalKey())?.secret;
    assert.ok(secret !== undefined);
    assert.deepEqual(given, {
      OPENAI_BASE_URL: address,
      OPENAI_API_BASE: address,
      OPENAI_API_KEY: secret,
      ANTHROPIC_BASE_URL: address.replace('/api/v1', '/api'),
      ANTHROPIC_AUTH_TOKEN: secret,
      ANTHROPIC_API_KEY: '',
    });
    const models = await fetch(`${given.OPENAI_BASE_URL}/models`, { headers: { authorization: `Bearer ${secret}` } });
    assert.equal(models.status, 200);
    await services.settings.setTerminalsUseGateway(false);
    await variablesOnce((variables) => variables.OPENAI_BASE_URL === untouched.OPENAI_BASE_URL);
    await services.settings.setTerminalsUseGateway(true);
    await variablesOnce((variables) => variables.OPENAI_BASE_URL === address);
    await services.gateway.stop();
    assert.deepEqual(await variablesOnce((variables) => variables.OPENAI_BASE_URL !== address), untouched);
  });

  it('get a new key when theirs is revoked', async () => {
    await services.settings.setTerminalsUseGateway(true);
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

/** Opens terminals until one has the expected variables, because the editor applies changes a moment later. */
async function variablesOnce(isExpected: (variables: Record<string, string>) => boolean) {
  for (let attempt = 1; ; attempt += 1) {
    const variables = await variablesOfNewTerminal();
    if (isExpected(variables) || attempt === 10) return variables;
  }
}

/** Reads the variables for the gateway, with a program that runs in the terminal. */
async function variablesOfNewTerminal(): Promise<Record<string, string>> {
  const file = join(tmpdir(), `model-access-terminal-${crypto.randomUUID()}.json`);
  const script = `require('fs').writeFileSync(${JSON.stringify(file)}, JSON.stringify(process.env))`;
  const ended = new Promise<void>((resolve) => {
    const subscription = vscode.window.onDidCloseTerminal((closed) => {
      if (closed.name !== file) return;
      subscription.dispose();
      resolve();
    });
  });
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  vscode.window.createTerminal({ name: file, shellPath: process.execPath, shellArgs: ['-e', script], env });
  await ended;
  const variables: Record<string, string> = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  return Object.fromEntries(Object.entries(variables).filter(([name]) => NAMES.includes(name)));
}
