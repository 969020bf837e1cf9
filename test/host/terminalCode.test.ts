import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { TerminalCode } from '../../src/editor/chat/reading/terminalCode.ts';
import { Lazy } from '../../src/editor/lazy.ts';
import { eventually } from '../support/eventually.ts';

describe('commands of an answer', () => {
  let folder: string;
  let code: TerminalCode;
  const fileAt = (name: string) => join(folder, name);

  before(async () => {
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await eventually('the end of earlier terminals', async () => vscode.window.terminals.length === 0);
    folder = await mkdtemp(join(tmpdir(), 'commands-'));
    code = new TerminalCode(new Lazy(async () => ({ verdictOn: () => ({ type: 'allowed' }) as const })));
  });
  after(async () => {
    code.dispose();
    for (const terminal of vscode.window.terminals) terminal.dispose();
    await rm(folder, { recursive: true });
  });

  it('run in the terminal in use, all lines of them, and those that are inserted wait for Enter', async () => {
    await code.run(`# One file, then another\n$ touch '${fileAt('one')}'\n$ touch '${fileAt('two')}'`, 'c');
    await eventually('both files', async () => existsSync(fileAt('one')) && existsSync(fileAt('two')));
    assert.equal(vscode.window.terminals.length, 1);
    await code.insert(`touch '${fileAt('three')}'`);
    assert.equal(existsSync(fileAt('three')), false);
    // Enter runs what is typed. This is another terminal if the first has not yet said that its command has ended.
    vscode.window.terminals.at(-1)?.sendText('');
    await eventually('the file of the inserted command', async () => existsSync(fileAt('three')));
  });
});
