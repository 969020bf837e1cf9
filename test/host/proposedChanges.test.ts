import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ProposedChanges } from '../../src/editor/chat/apply/proposedChanges.ts';
import type { ChangeName, ReviewBlock, ReviewDecision } from '../../src/pages/agentReview/protocol.ts';
import { eventually } from '../support/eventually.ts';

const BEFORE = 'a\nb\nc\nd\ne\nf\ng\n';
const AFTER = 'a\nB\nc\nd\ne\nF\ng\n';

describe('the changes that an answer proposes', () => {
  let folder: vscode.Uri;
  let document: vscode.TextDocument;
  let changes: ProposedChanges;
  let count = 0;

  before(() => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    folder = vscode.Uri.joinPath(root, 'proposed');
  });
  beforeEach(async () => {
    count += 1;
    changes = new ProposedChanges();
    document = await opened(`file${count}.txt`, BEFORE);
    await changes.add(document, { base: BEFORE, current: AFTER });
  });
  afterEach(async () => {
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  async function opened(name: string, content: string | Uint8Array): Promise<vscode.TextDocument> {
    const uri = vscode.Uri.joinPath(folder, name);
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    await vscode.workspace.fs.writeFile(uri, bytes);
    const editor = await vscode.window.showTextDocument(uri, { preview: false });
    return editor.document;
  }

  async function blocks(): Promise<readonly ReviewBlock[]> {
    const [file] = await changes.view();
    return file?.blocks ?? [];
  }

  /** The open changes, from the top down. */
  async function open(): Promise<readonly ChangeName[]> {
    const file = document.uri.toString();
    return (await blocks()).flatMap((block) => (block.type === 'change' ? [{ file, id: block.id }] : []));
  }

  const decided = async () => (await blocks()).flatMap((block) => (block.type === 'decided' ? [block.decision] : []));

  /** Decides on an open change. */
  async function decide(decision: ReviewDecision, index = 0): Promise<ChangeName> {
    const change = (await open())[index];
    assert.ok(change);
    assert.deepEqual(await changes.decide([change], decision), []);
    return change;
  }

  async function edit(line: number, text: string): Promise<void> {
    const own = new vscode.WorkspaceEdit();
    own.replace(document.uri, document.lineAt(line).range, text);
    assert.ok(await vscode.workspace.applyEdit(own));
  }

  it('are written to the editor when they are accepted, and can be taken back one by one', async () => {
    const first = await decide('accepted');
    assert.equal(document.getText(), AFTER.replace('F', 'f'));
    assert.ok(document.isDirty);
    const second = await decide('discarded');
    assert.deepEqual(await decided(), ['accepted', 'discarded']);
    assert.equal(await changes.undo(first), undefined);
    assert.equal(document.getText(), BEFORE);
    assert.equal(await changes.undo(second), undefined);
    assert.deepEqual(await open(), [first, second]);
    assert.equal(await changes.undo(second), undefined);
  });

  it('are not written to a file that the editor has read with another encoding, whose characters would be lost', async () => {
    const bytes = Buffer.from([...Buffer.from('a\n'), 0xcf, 0xf0, 0xe8, ...Buffer.from('\nb\n')]);
    document = await opened('cyrillic.txt', bytes);
    const base = document.getText();
    changes = new ProposedChanges();
    await changes.add(document, { base, current: base.replace('b', 'B') });
    const [change] = await open();
    assert.ok(change);
    await assert.rejects(changes.decide([change], 'accepted'), /cyrillic\.txt with an encoding that loses/);
    assert.deepEqual([document.isDirty, Buffer.from(await vscode.workspace.fs.readFile(document.uri))], [false, bytes]);
    // A file may contain the character itself.
    document = await opened('replacement.txt', 'a\n\uFFFD\nb\n');
    changes = new ProposedChanges();
    await changes.add(document, { base: document.getText(), current: 'a\n\uFFFD\nB\n' });
    await decide('accepted');
    assert.equal(document.getText(), 'a\n\uFFFD\nB\n');
  });

  it('are one edit together, which one undo of the editor takes back, and a redo makes again', async () => {
    await changes.decideAll('accepted');
    assert.equal(document.getText(), AFTER);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), BEFORE);
    assert.deepEqual([(await open()).length, await decided()], [2, []]);
    await vscode.commands.executeCommand('redo');
    assert.equal(document.getText(), AFTER);
    assert.deepEqual([(await open()).length, await decided()], [0, ['accepted', 'accepted']]);
  });

  it('leave the user’s edits alone, before and after they are accepted', async () => {
    await edit(3, 'own');
    await edit(0, 'top\na');
    assert.equal((await changes.view())[0]?.isEdited, true);
    await changes.decideAll('accepted');
    assert.equal(document.getText(), `top\n${AFTER.replace('d', 'own')}`);
    const [first] = (await changes.view()).flatMap((file) =>
      file.blocks.flatMap((block) => (block.type === 'decided' ? [{ file: file.file, id: block.id }] : [])),
    );
    assert.ok(first);
    await changes.undo(first);
    assert.equal(document.getText(), `top\n${AFTER.replace('d', 'own').replace('B', 'b')}`);
  });

  it('are not accepted where the user has edited their lines, which is marked and reported', async () => {
    await edit(1, 'own');
    const marks = (await blocks()).flatMap((block) => (block.type === 'change' ? [block.isEdited] : []));
    assert.deepEqual(marks, [true, undefined]);
    const [first] = await open();
    assert.ok(first);
    assert.deepEqual((await changes.decide([first], 'accepted')).map(String), [document.uri.toString()]);
    await changes.decideAll('accepted');
    assert.equal(document.getText(), AFTER.replace('B', 'own'));
    assert.equal((await changes.comparison(document.uri.toString()))?.text, AFTER);
    await decide('discarded');
    assert.equal(changes.openCount, 0);
  });

  it('follow a file that another program has written', async () => {
    await vscode.workspace.fs.writeFile(document.uri, new TextEncoder().encode(`top\n${BEFORE}`));
    await eventually('the new text', async () => document.getText().startsWith('top'));
    await changes.decideAll('accepted');
    assert.equal(document.getText(), `top\n${AFTER}`);
  });

  it('keep line breaks and encoding of the file', async () => {
    const text = BEFORE.replaceAll('\n', '\r\n');
    const bytes = (written: string) => Buffer.from(`\uFEFF${written}`, 'utf16le');
    document = await opened(`windows${count}.txt`, bytes(text));
    changes = new ProposedChanges();
    await changes.add(document, { base: document.getText(), current: AFTER.replaceAll('\n', '\r\n') });
    await decide('accepted');
    await document.save();
    const saved = Buffer.from(await vscode.workspace.fs.readFile(document.uri));
    assert.deepEqual(saved, bytes(text.replace('b', 'B')));
  });

  it('are reported and stay open if the file cannot be written', async () => {
    const files = vscode.workspace.registerFileSystemProvider('locked', new LockedFiles(), { isReadonly: true });
    try {
      const uri = vscode.Uri.parse('locked:/file.txt');
      document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
      changes = new ProposedChanges();
      await changes.add(document, { base: BEFORE, current: AFTER });
      await assert.rejects(changes.decideAll('accepted'), /may be read-only/);
      assert.equal((await open()).length, 2);
      await changes.decideAll('discarded');
    } finally {
      files.dispose();
    }
  });

  it('are written to an untitled file and to the cell of a notebook', async () => {
    const untitled = await vscode.workspace.openTextDocument({ content: BEFORE });
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, BEFORE, 'python');
    const serializer = vscode.workspace.registerNotebookSerializer('jupyter-notebook', {
      deserializeNotebook: () => new vscode.NotebookData([]),
      serializeNotebook: () => new Uint8Array(),
    });
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    await vscode.window.showNotebookDocument(notebook);
    changes = new ProposedChanges();
    const documents = [untitled, notebook.cellAt(0).document];
    for (const one of documents) await changes.add(one, { base: BEFORE, current: AFTER });
    await changes.decideAll('accepted');
    assert.deepEqual(
      documents.map((one) => one.getText()),
      [AFTER, AFTER],
    );
    for (const one of [untitled, notebook.cellAt(0).document]) await vscode.window.showTextDocument(one);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    serializer.dispose();
  });

  it('join what is open for the file, and replace it where they contradict it', async () => {
    await changes.add(document, { base: BEFORE, current: BEFORE.replace('d', 'D') });
    assert.equal((await open()).length, 3);
    await decide('accepted', 1);
    assert.equal(document.getText(), BEFORE.replace('d', 'D'));
    await changes.add(document, { base: document.getText(), current: document.getText().replace('b', 'other') });
    assert.equal((await open()).length, 1);
    await changes.decideAll('accepted');
    assert.equal(document.getText(), BEFORE.replace('d', 'D').replace('b', 'other'));
  });
});

/** A file system with one file, which cannot be written. */
class LockedFiles implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;

  stat(): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: BEFORE.length };
  }

  readFile(): Uint8Array {
    return new TextEncoder().encode(BEFORE);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory = refuse;
  createDirectory = refuse;
  writeFile = refuse;
  delete = refuse;
  rename = refuse;
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}
