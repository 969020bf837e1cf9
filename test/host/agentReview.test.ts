import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Checkpoint } from '../../src/editor/agent/checkpoints.ts';
import { RunChanges } from '../../src/editor/agent/review/runChanges.ts';
import type { ChangeName, ReviewBlock, ReviewDecision } from '../../src/pages/agentReview/protocol.ts';
import { eventually } from '../support/eventually.ts';

const BEFORE = 'a\nb\nc\nd\ne\nf\ng\n';
const AFTER = 'a\nB\nc\nd\ne\nF\ng\n';
const FILE = 'src/reviewed.ts';
/** No editor has opened it, so that what is on disk counts at once. */
const OWN = 'src/ownEdits.ts';

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
    for (const path of [FILE, OWN, 'src/created.ts', 'src/image.bin', 'src/renamed.ts']) {
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
    if (typeof content === 'string') await untilRead(path, content);
  }

  /** Waits until the editor has noticed a write to a file that an earlier test has opened. Until then, it cannot save it. */
  async function untilRead(path: string, content: string): Promise<void> {
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === uriOf(path).toString());
    if (document === undefined || document.isDirty) return;
    await eventually('the text of the file', async () => document.isClosed || document.getText() === content);
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

  it('does not touch a change whose lines were edited in the meantime, and reports it', async () => {
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

  it('decides on all remaining changes', async () => {
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

  it('shows the lines of created and deleted files, and all of them when asked', async () => {
    const long = Array.from({ length: 500 }, (_, index) => `line ${index}\n`).join('');
    await checkpoint.keep(uriOf('src/created.ts'));
    await write('src/created.ts', long);
    await vscode.workspace.fs.delete(uriOf(FILE));
    const shown = async (path: string) => {
      const [block] = await blocks(path);
      assert.ok(block?.type === 'change');
      return block;
    };
    const removed = (await shown(FILE)).lines.map(({ kind, text }) => `${kind} ${text}`);
    assert.deepEqual(removed.slice(0, 2), ['removed a', 'removed b']);
    const { id, lines, hidden } = await shown('src/created.ts');
    assert.deepEqual([lines.length, hidden, lines[0]], [400, 100, { kind: 'added', text: 'line 0', new: 1 }]);
    changes.showAll({ file: uriOf('src/created.ts').toString(), id });
    const all = await shown('src/created.ts');
    assert.deepEqual([all.lines.length, all.hidden], [500, 0]);
  });

  it('shows a renamed file as one, and accepts, discards, and undoes both parts together', async () => {
    const [from, to] = [uriOf(FILE), uriOf('src/renamed.ts')];
    await checkpoint.wrote(from);
    await checkpoint.keep(to);
    await vscode.workspace.fs.rename(from, to);
    await checkpoint.renamed(from, to);
    const [file, ...others] = await changes.view();
    assert.ok(file);
    assert.deepEqual(others, []);
    assert.deepEqual([file.change, file.renamedFrom, file.added, file.removed], ['renamed', FILE, 2, 2]);
    const [name] = await open('src/renamed.ts');
    assert.ok(name);
    await decide('discarded', [name]);
    assert.equal(await textOf(FILE), BEFORE);
    await assert.rejects(() => textOf('src/renamed.ts'));
    assert.equal((await changes.view()).length, 1);
    assert.equal(await changes.undo(name), undefined);
    await assert.rejects(() => textOf(FILE));
    assert.equal(await textOf('src/renamed.ts'), AFTER);
    await decide('accepted', [name]);
    assert.equal((await checkpoint.view()).files, 0);
  });

  describe('of a file that the user has edited too', () => {
    beforeEach(async () => {
      await write(FILE, BEFORE);
      await write(OWN, BEFORE);
      await checkpoint.keep(uriOf(OWN));
      await write(OWN, AFTER);
      await checkpoint.wrote(uriOf(OWN));
    });

    it('discards a change and keeps the user’s lines around it, also when that is undone', async () => {
      const own = `own first\n${AFTER.replace('B\n', 'B\nown second\n')}`;
      await write(OWN, own);
      const file = (await changes.view()).find(({ name }) => name === 'ownEdits.ts');
      assert.equal(file?.isEdited, true);
      const [first, second, ...others] = await open(OWN);
      assert.ok(first && second);
      assert.deepEqual(others, []);
      await decide('discarded', [first]);
      assert.equal(await textOf(OWN), own.replace('B', 'b'));
      assert.equal(await changes.undo(first), undefined);
      assert.equal(await textOf(OWN), own);
      await decide('accepted', [first]);
      await decide('discarded', [second]);
      assert.equal(await textOf(OWN), own.replace('F', 'f'));
      assert.equal((await checkpoint.view()).files, 0);
      assert.deepEqual(await open(OWN), []);
    });

    it('leaves a change in lines that the user has edited, marks it, and counts it no more once it is accepted', async () => {
      const own = AFTER.replace('B', 'own');
      await write(OWN, own);
      const marks = (await blocks(OWN)).flatMap((block) => (block.type === 'change' ? [block.isEdited] : []));
      assert.deepEqual(marks, [true, undefined]);
      const [first] = await open(OWN);
      assert.ok(first);
      assert.deepEqual((await changes.decide([first], 'discarded')).map(String), [uriOf(OWN).toString()]);
      await changes.decideAll('discarded');
      assert.equal(await textOf(OWN), own.replace('F', 'f'));
      assert.equal((await changes.comparison(uriOf(OWN).toString()))?.text, BEFORE);
      await decide('accepted', [first]);
      assert.equal((await checkpoint.view()).files, 0);
    });

    it('no longer lists a change that the user has reverted manually', async () => {
      await write(OWN, AFTER.replace('B', 'b'));
      assert.equal((await open(OWN)).length, 1);
      assert.deepEqual(await checkpoint.view(), { files: 1, added: 1, removed: 1 });
      await write(OWN, BEFORE);
      assert.deepEqual(await open(OWN), []);
      assert.equal((await checkpoint.view()).files, 0);
    });

    it('keeps the user’s lines when the run changes the file again', async () => {
      const own = AFTER.replace('d', 'own');
      await write(OWN, own);
      const again = own.replace('F', 'FF');
      await write(OWN, again);
      await checkpoint.wrote(uriOf(OWN), own);
      assert.equal((await open(OWN)).length, 2);
      await changes.decideAll('discarded');
      assert.equal(await textOf(OWN), BEFORE.replace('d', 'own'));
    });

    it('does not delete a created file with the user’s lines', async () => {
      await checkpoint.keep(uriOf('src/created.ts'));
      await write('src/created.ts', 'one\n');
      await checkpoint.wrote(uriOf('src/created.ts'));
      await write('src/created.ts', 'one\nown\n');
      const names = await open('src/created.ts');
      assert.equal(names.length, 1);
      assert.deepEqual((await changes.decide(names, 'discarded')).map(String), [uriOf('src/created.ts').toString()]);
      assert.equal(await textOf('src/created.ts'), 'one\nown\n');
      await decide('accepted', names);
      assert.deepEqual(await open('src/created.ts'), []);
    });

    it('keeps the decisions when a restore is undone', async () => {
      const [first] = await open(OWN);
      assert.ok(first);
      await decide('accepted', [first]);
      const undo = await checkpoint.restore();
      assert.equal(await textOf(OWN), BEFORE);
      await write(OWN, AFTER);
      await undo(new Set());
      assert.deepEqual(await checkpoint.view(), { files: 1, added: 1, removed: 1 });
    });
  });

  it('refuses to restore, discard, or undo through a link that has replaced a folder', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'outside-'));
    const path = 'linked/file.ts';
    const [linked, target] = [uriOf('linked'), join(outside, 'file.ts')];
    try {
      await write(path, BEFORE);
      await checkpoint.keep(uriOf(path));
      await write(path, AFTER);
      const [first, second] = await open(path);
      assert.ok(first && second);
      await decide('discarded', [first]);
      await vscode.workspace.fs.delete(linked, { recursive: true });
      await writeFile(target, AFTER.replace('B', 'b'));
      await symlink(outside, linked.fsPath);
      const refused = /no longer points to the same location/;
      await assert.rejects(checkpoint.restore(), refused);
      await assert.rejects(changes.decide([second], 'discarded'), refused);
      await assert.rejects(changes.undo(first), refused);
      assert.equal(await readFile(target, 'utf8'), AFTER.replace('B', 'b'));
      // Nothing was restored, so that no file is left between two states.
      assert.equal(await textOf(FILE), AFTER);
    } finally {
      await rm(linked.fsPath, { recursive: true, force: true });
      await rm(outside, { recursive: true });
    }
  });

  it('keeps the byte order mark and the line ends of a closed file when one change is discarded', async () => {
    const bytes = (text: string) => new Uint8Array([0xef, 0xbb, 0xbf, ...new TextEncoder().encode(text)]);
    const [before, after] = [BEFORE, AFTER].map((text) => text.replaceAll('\n', '\r\n'));
    assert.ok(before !== undefined && after !== undefined);
    await write('src/created.ts', bytes(before));
    await checkpoint.keep(uriOf('src/created.ts'));
    await write('src/created.ts', bytes(after));
    await checkpoint.wrote(uriOf('src/created.ts'));
    const [first, second] = await open('src/created.ts');
    assert.ok(first && second);
    await decide('accepted', [second]);
    await decide('discarded', [first]);
    const now = await vscode.workspace.fs.readFile(uriOf('src/created.ts'));
    assert.deepEqual(Buffer.from(now), Buffer.from(bytes(after.replace('B', 'b'))));
    assert.deepEqual(await open('src/created.ts'), []);
  });
});
