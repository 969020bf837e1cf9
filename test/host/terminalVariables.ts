import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

const NAMES = [
  'OPENAI_BASE_URL',
  'OPENAI_API_BASE',
  'OPENAI_API_KEY',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_CUSTOM_HEADERS',
  'MODEL_ACCESS_WINDOW',
];

/** Opens terminals until one has the expected variables, because the editor applies changes a moment later. */
export async function variablesOnce(isExpected: (variables: Record<string, string>) => boolean) {
  let variables: Record<string, string> = {};
  await eventually('the variables of a new terminal', async () => {
    variables = await variablesOfNewTerminal();
    return isExpected(variables);
  });
  return variables;
}

/** Reads the variables for the gateway, with a program that runs in the terminal. */
export async function variablesOfNewTerminal(): Promise<Record<string, string>> {
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
