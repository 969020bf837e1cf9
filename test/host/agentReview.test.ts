import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Checkpoint } from '../../src/editor/agent/checkpoints.ts';
import type { ChangeName, ReviewBlock, ReviewDecision } from '../../src/editor/agent/review/protocol.ts';
import { RunChanges } from '../../src/editor/agent/review/runChanges.ts';

const BEFORE = 'a\nb\nc\nd\ne\nf\ng\n';
const AFTER = 'a\nB\nc\nd\ne\nF\ng\n';
const FILE = 'src/reviewed.ts';

describe('the review of the changes of a run', () => {
  let folder: string;
  let checkpoint: Checkpoint;
  let changes: RunChanges;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'review-'));
    checkpoint = new Checkpoint(folder);
    changes = new RunChanges(checkpoint);
    await write(FILE, BEFORE);
    await checkpoint.keep(uriOf(FILE));
    await write(FILE, AFTER);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const path of [FILE, 'src/created.ts', 'src/image.bin']) {
      await vscode.workspace.fs.delete(uriOf(path)).then(undefined, () => undefined);
    }
    await rm(folder, { recursive: true });
  });

  function uriOf(path: string): vscode.Uri {
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    return vscode.Uri.joinPath(workspace.uri, path);
  }

  async function write(path: string, content: string | Uint8Array): Promise<void> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await vscode.workspace.fs.writeFile(uriOf(path), bytes);
  }

  async function textOf(path: string): Promise<string> {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uriOf(path)));
  }

  async function blocks(path = FILE): Promise<readonly ReviewBlock[]> {
    const files = await changes.view();
    return files.find(({ file }) => file === uriOf(path).toString())?.blocks ?? [];
  }

  /** The open changes of a file, from the top down. */
  async function open(path = FILE): Promise<readonly ChangeName[]> {
    const file = uriOf(path).toString();
    return (await blocks(path)).flatMap((block) => (block.type === 'change' ? [{ file, id: block.id }] : []));
  }

  async function decided(path = FILE): Promise<readonly (ChangeName & { readonly decision: ReviewDecision })[]> {
    const file = uriOf(path).toString();
    return (await blocks(path)).flatMap((block) =>
      block.type === 'decided' ? [{ file, id: block.id, decision: block.decision }] : [],
    );
  }

  async function decide(decision: ReviewDecision, names: readonly ChangeName[]): Promise<void> {
    assert.deepEqual(await changes.decide(names, decision), []);
  }

  it('keeps an accepted change, also after a reload, and counts it no more', async () => {
    const [first] = await open();
    assert.ok(first);
    await decide('accepted', [first]);
    assert.equal(await textOf(FILE), AFTER);
    assert.deepEqual(await checkpoint.view(), { files: 1, added: 1, removed: 1 });
    const reloaded = new Checkpoint(folder);
    assert.deepEqual(await reloaded.view(), { files: 1, added: 1, removed: 1 });
    changes = new RunChanges(reloaded);
    const [second, ...others] = await open();
    assert.deepEqual(others, []);
    assert.ok(second);
    await decide('discarded', [second]);
    assert.equal(await textOf(FILE), AFTER.replace('F', 'f'));
  });

  it('writes the earlier lines of a discarded change back, and leaves the others', async () => {
    const [first] = await open();
    assert.ok(first);
    await decide('discarded', [first]);
    assert.equal(await textOf(FILE), AFTER.replace('B', 'b'));
    assert.equal((await open()).length, 1);
    assert.deepEqual(
      (await decided()).map(({ decision }) => decision),
      ['discarded'],
    );
  });

  it('undoes an accepted and a discarded change', async () => {
    const [first, second] = await open();
    assert.ok(first && second);
    await decide('accepted', [first]);
    await decide('discarded', [second]);
    assert.equal((await checkpoint.view()).files, 0);
    assert.equal(await changes.undo(first), undefined);
    assert.deepEqual(await checkpoint.view(), { files: 1, added: 1, removed: 1 });
    assert.equal(await changes.undo(second), undefined);
    assert.equal(await textOf(FILE), AFTER);
    assert.deepEqual(await open(), [first, second]);
    assert.equal(await changes.undo(second), undefined);
    assert.equal(await textOf(FILE), AFTER);
  });

  it('leaves a change alone whose lines were edited meanwhile, and says so', async () => {
    const [first, second] = await open();
    assert.ok(first && second);
    const edited = AFTER.replace('B', 'own');
    await write(FILE, edited);
    const misfits = await changes.decide([first], 'discarded');
    assert.deepEqual(misfits.map(String), [uriOf(FILE).toString()]);
    assert.equal(await textOf(FILE), edited);
    await decide('discarded', [second]);
    assert.equal(await textOf(FILE), edited.replace('F', 'f'));
  });

  it('does nothing when a change is decided twice', async () => {
    const [first] = await open();
    assert.ok(first);
    await decide('discarded', [first]);
    await decide('discarded', [first]);
    assert.equal(await textOf(FILE), AFTER.replace('B', 'b'));
  });

  it('does not undo what was discarded where the lines were edited since', async () => {
    const [first] = await open();
    assert.ok(first);
    await decide('discarded', [first]);
    const edited = (await textOf(FILE)).replace('b', 'own');
    await write(FILE, edited);
    assert.equal((await changes.undo(first))?.toString(), uriOf(FILE).toString());
    assert.equal(await textOf(FILE), edited);
  });

  it('follows what the editor shows unsaved', async () => {
    const [first, second] = await open();
    assert.ok(first && second);
    const document = await vscode.workspace.openTextDocument(uriOf(FILE));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(7, 0), 'own\n'));
    assert.equal((await open()).length, 3);
    await decide('discarded', [first]);
    assert.equal(document.getText(), `${AFTER.replace('B', 'b')}own\n`);
    assert.equal(await textOf(FILE), document.getText());
  });

  it('accepts and discards created, deleted, and binary files as a whole, and undoes it', async () => {
    await checkpoint.keep(uriOf('src/created.ts'));
    await write('src/created.ts', 'export {};\n');
    await vscode.workspace.fs.delete(uriOf(FILE));
    await write('src/image.bin', new Uint8Array([0, 1, 2]));
    await checkpoint.keep(uriOf('src/image.bin'));
    await write('src/image.bin', new Uint8Array([0, 3, 4]));
    const kinds = (await changes.view()).map(({ change, added, removed }) => [change, added, removed]);
    assert.deepEqual(kinds, [
      ['deleted', 0, 7],
      ['created', 1, 0],
      ['binary', 0, 0],
    ]);
    const all = [...(await open()), ...(await open('src/created.ts')), ...(await open('src/image.bin'))];
    await decide('discarded', all);
    assert.equal(await textOf(FILE), BEFORE);
    await assert.rejects(() => textOf('src/created.ts'));
    assert.equal(await textOf('src/image.bin'), '\0\x01\x02');
    for (const name of all) assert.equal(await changes.undo(name), undefined);
    await assert.rejects(() => textOf(FILE));
    assert.equal(await textOf('src/created.ts'), 'export {};\n');
    assert.equal(await textOf('src/image.bin'), '\0\x03\x04');
    await decide('accepted', all);
    assert.equal((await checkpoint.view()).files, 0);
    for (const name of all) assert.equal(await changes.undo(name), undefined);
    assert.equal((await checkpoint.view()).files, 3);
  });

  it('decides on all that is left', async () => {
    const [first] = await open();
    assert.ok(first);
    await decide('accepted', [first]);
    await changes.decideAll('discarded');
    assert.equal(await textOf(FILE), AFTER.replace('F', 'f'));
    assert.equal((await checkpoint.view()).files, 0);
    assert.deepEqual(
      (await decided()).map(({ decision }) => decision),
      ['accepted', 'discarded'],
    );
  });

  it('forgets what was accepted when the run is restored', async () => {
    await changes.decideAll('accepted');
    await checkpoint.restore();
    assert.equal(await textOf(FILE), BEFORE);
    assert.equal((await checkpoint.view()).files, 0);
    assert.deepEqual(await changes.view(), []);
  });

  it('keeps a file and accepts a change at the same time', async () => {
    const [first] = await open();
    assert.ok(first);
    await write('src/created.ts', 'one\n');
    await Promise.all([checkpoint.keep(uriOf('src/created.ts')), decide('accepted', [first])]);
    await write('src/created.ts', 'two\n');
    assert.deepEqual(await new Checkpoint(folder).view(), { files: 2, added: 2, removed: 2 });
  });
});
