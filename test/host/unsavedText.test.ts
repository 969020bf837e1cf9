import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { bytesOf, readText, writeText } from '../../src/editor/agent/files.ts';
import { hasUnsavedText } from '../../src/editor/documents/hasUnsavedText.ts';

describe('a text that has replaced another one while the editor was saving it', () => {
  let files: SlowFiles;
  let document: vscode.TextDocument;

  before(async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    files = new SlowFiles(vscode.Uri.joinPath(folder.uri, 'slow.txt'));
    await vscode.workspace.fs.writeFile(files.file, Buffer.from('one\n'));
    document = await vscode.workspace.openTextDocument(files.file.with({ scheme: 'slow' }));
    await vscode.window.showTextDocument(document);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    files.dispose();
    await vscode.workspace.fs.delete(files.file);
  });

  async function type(text: string): Promise<void> {
    const change = new vscode.WorkspaceEdit();
    change.replace(document.uri, document.lineAt(0).range, text);
    assert.ok(await vscode.workspace.applyEdit(change));
  }

  const onDisk = async () => String(await vscode.workspace.fs.readFile(files.file));

  it('is what the agent reads, and what it must have read to write', async () => {
    const { uri } = document;
    await type('two');
    const write = files.holdWrite();
    const saved = document.save();
    await write.begun;
    await type('typed');
    write.finish();
    await saved;
    assert.equal(await onDisk(), 'two\n');
    assert.equal(document.isDirty, false);
    assert.equal(
      await readText({ uri, path: 'slow.txt', checked: { uri, real: undefined, finding: undefined } }),
      'typed\n',
    );
    assert.equal(String(await bytesOf(uri)), 'typed\n');
    assert.ok(hasUnsavedText(document));
    await assert.rejects(writeText(uri, 'changed\n', 'two\n'), /changed in the meantime/);
    await writeText(uri, 'changed\n', 'typed\n');
    assert.equal(document.getText(), 'changed\n');
    assert.equal(await onDisk(), 'changed\n');
    assert.equal(hasUnsavedText(document), false);
  });
});

/** A file of the disk in a file system in which a write can take as long as a test likes. */
class SlowFiles implements vscode.FileSystemProvider {
  readonly onDidChangeFile = new vscode.EventEmitter<vscode.FileChangeEvent[]>().event;
  readonly file: vscode.Uri;
  readonly #registration: vscode.Disposable;
  #held: { readonly begin: () => void; readonly finished: Promise<void> } | undefined;

  constructor(file: vscode.Uri) {
    this.file = file;
    this.#registration = vscode.workspace.registerFileSystemProvider('slow', this);
  }

  /** Holds the next write back. */
  holdWrite() {
    const [begun, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    this.#held = { begin: begun.resolve, finished: finished.promise };
    return { begun: begun.promise, finish: finished.resolve };
  }

  async writeFile(_uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const held = this.#held;
    this.#held = undefined;
    held?.begin();
    await held?.finished;
    await vscode.workspace.fs.writeFile(this.file, content);
  }

  stat = () => vscode.workspace.fs.stat(this.file);
  readFile = () => vscode.workspace.fs.readFile(this.file);
  watch = () => new vscode.Disposable(() => undefined);
  dispose = () => this.#registration.dispose();
  readDirectory = refuse;
  createDirectory = refuse;
  delete = refuse;
  rename = refuse;
}

function refuse(): never {
  throw vscode.FileSystemError.NoPermissions();
}
