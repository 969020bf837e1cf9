import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Checkpoint } from '../../src/editor/agent/checkpoints.ts';
import { CommandChanges } from '../../src/editor/agent/commandChanges.ts';
import { restoreFiles } from '../../src/editor/agent/restoreRun.ts';
import { editTools } from '../../src/editor/agent/tools/editTools.ts';

describe('what is restored after a run', () => {
  let storage: string;
  let folder: string;
  let checkpoint: Checkpoint;

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'agent-restore-'));
    checkpoint = new Checkpoint(storage);
    folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail(), 'agentRestore');
    await mkdir(folder);
    await writeFile(at('run.sh'), '#!/bin/sh\n');
    await chmod(at('run.sh'), 0o750);
    await writeFile(at('file.txt'), 'file\n');
    await symlink('file.txt', at('link.txt'));
    await mkdir(at('inner'));
    await writeFile(at('inner/file.txt'), 'inner\n');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    await rm(storage, { recursive: true });
  });

  const at = (name: string) => join(folder, name);
  const textOf = (name: string) => readFile(at(name), 'utf8');
  const isThere = (name: string) =>
    lstat(at(name)).then(
      () => true,
      () => false,
    );

  async function call(tool: string, args: object): Promise<string> {
    const tools = editTools({ checkpoint: () => checkpoint, isReviewedFirst: () => false });
    const { prepare } = tools.find(({ definition }) => definition.name === tool) ?? assert.fail(tool);
    const { run } = await prepare(args);
    const { signal } = new AbortController();
    return (await run({ place: { step: '', call: '' }, signal, report: () => undefined, ask: async () => '' })).text;
  }

  async function command(line: string): Promise<void> {
    const changes = await CommandChanges.begin(checkpoint);
    execFileSync('/bin/sh', ['-c', line], { cwd: folder });
    await changes.end();
  }

  const ENDS: Readonly<Record<string, () => Promise<unknown>>> = {
    'deleted by the model': () => call('delete_file', { path: 'agentRestore/run.sh' }),
    'renamed by the model': () => call('rename_file', { path: 'agentRestore/run.sh', new_path: 'agentRestore/go.sh' }),
    'deleted by a command': () => command('rm run.sh'),
    'renamed by a command': () => command('mv run.sh go.sh'),
  };
  for (const [how, end] of Object.entries(ENDS)) {
    it(`can be run again if it was ${how}`, async () => {
      await end();
      assert.equal(await isThere('run.sh'), false);
      await restoreFiles([checkpoint]);
      assert.equal((await stat(at('run.sh'))).mode & 0o111, 0o111);
      assert.equal(await isThere('go.sh'), false);
    });
  }

  it('is everything but links, which are named', async () => {
    await call('edit_file', { path: 'agentRestore/file.txt', edits: [{ old_text: 'file', new_text: 'changed' }] });
    const renamed = { path: 'agentRestore/link.txt', new_path: 'agentRestore/moved.txt' };
    assert.match(await call('rename_file', renamed), /^Renamed the link agentRestore\/link\.txt/);
    assert.match(
      await call('delete_file', { path: 'agentRestore/moved.txt' }),
      /^Deleted the link agentRestore\/moved\.txt/,
    );
    await command('ln -s file.txt made.txt');
    const names = ['link.txt', 'moved.txt', 'made.txt'].map((name) => `agentRestore/${name}`);
    assert.deepEqual(await checkpoint.unrestored(), names);
    await restoreFiles([checkpoint]);
    assert.equal(await textOf('file.txt'), 'file\n');
  });

  it('is a file whose place a folder has taken, and a folder whose place a file has taken', async () => {
    await command('rm file.txt; mkdir file.txt; echo new > file.txt/new.txt; rm -r inner; echo new > inner');
    const undo = await restoreFiles([checkpoint]);
    assert.deepEqual([await textOf('file.txt'), await textOf('inner/file.txt')], ['file\n', 'inner\n']);
    await undo();
    assert.deepEqual([await textOf('file.txt/new.txt'), await textOf('inner')], ['new\n', 'new\n']);
  });

  it('is nothing if a file would take the place of a folder in which somebody has put another one', async () => {
    await command('rm file.txt; mkdir file.txt; echo new > file.txt/new.txt');
    await writeFile(at('file.txt/own.txt'), 'own\n');
    await assert.rejects(restoreFiles([checkpoint]));
    assert.deepEqual([await textOf('file.txt/new.txt'), await textOf('file.txt/own.txt')], ['new\n', 'own\n']);
  });
});
