import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import * as vscode from 'vscode';
import type { PreparedToolCall, ToolOutcome } from '../../src/agent/tools/tool.ts';
import { Checkpoint } from '../../src/editor/agent/checkpoints.ts';
import { restoreFiles } from '../../src/editor/agent/restoreRun.ts';
import { editTools } from '../../src/editor/agent/tools/editTools.ts';
import { readTools } from '../../src/editor/agent/tools/readTools.ts';
import { eventually } from '../support/eventually.ts';

/** Words of languages that write them in these encodings. */
const ENCODINGS = {
  utf8: 'Ğ東é',
  utf8bom: 'Ğ東é',
  utf16le: 'Ğ東é',
  utf16be: 'Ğ東é',
  windows1250: 'žluťoučký',
  windows1251: 'Привет',
  windows1252: 'Größe €',
  windows1253: 'Καλημέρα',
  windows1254: 'ığdır',
  iso88591: 'Größe',
  shiftjis: '日本語テスト',
  gbk: '汉字编码',
  euckr: '한국어',
  koi8r: 'Привет',
} as const;

const MARK_OF: Readonly<Record<string, number>> = { utf16le: 2, utf16be: 2 };

interface SampleFile {
  readonly encoding: keyof typeof ENCODINGS;
  readonly hasMark: boolean;
  readonly lineBreaks: readonly [string, string];
  readonly endsWithBreak: boolean;
  readonly state: 'closed' | 'open' | 'unsaved';
}

const SAMPLES: fc.Arbitrary<SampleFile> = fc
  .record({
    encoding: fc.constantFrom(...(Object.keys(ENCODINGS) as (keyof typeof ENCODINGS)[])),
    hasMark: fc.boolean(),
    lineBreaks: fc.constantFrom(['\n', '\n'] as const, ['\r\n', '\r\n'] as const, ['\r\n', '\n'] as const),
    endsWithBreak: fc.boolean(),
    state: fc.constantFrom('closed' as const, 'open' as const, 'unsaved' as const),
  })
  // The editor itself gives a document with unsaved changes one kind of line breaks, and opens UTF-16 with a mark only.
  .filter(({ state, lineBreaks: [first, second], encoding, hasMark }) => {
    const isMarked = hasMark || MARK_OF[encoding] === undefined;
    return state === 'closed' || (isMarked && (state === 'open' || first === second));
  });

describe('the files of the agent', () => {
  let storage: string;
  let checkpoint: Checkpoint;
  let folder: vscode.Uri;
  let counter = 0;

  beforeEach(async () => {
    storage = await mkdtemp(join(tmpdir(), 'agent-files-'));
    checkpoint = new Checkpoint(storage);
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    folder = vscode.Uri.joinPath(workspace.uri, 'agentFiles');
    await vscode.workspace.fs.createDirectory(folder);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(folder, { recursive: true });
    await rm(storage, { recursive: true });
  });

  /** A name that no earlier document had. */
  function newFile(extension = 'txt'): vscode.Uri {
    counter += 1;
    return vscode.Uri.joinPath(folder, `file${counter}.${extension}`);
  }

  async function prepared(tool: string, args: object): Promise<PreparedToolCall> {
    const tools = [...readTools(), ...editTools({ checkpoint: () => checkpoint, isReviewedFirst: () => false })];
    const found = tools.find(({ definition }) => definition.name === tool);
    assert.ok(found);
    return found.prepare(args);
  }

  async function call(tool: string, args: object): Promise<ToolOutcome> {
    const { run } = await prepared(tool, args);
    const { signal } = new AbortController();
    return run({ place: { step: '', call: '' }, signal, report: () => undefined, ask: async () => '' });
  }

  function edit(uri: vscode.Uri, from: string, to: string): Promise<ToolOutcome> {
    return call('edit_file', { path: pathOf(uri), edits: [{ old_text: from, new_text: to }] });
  }

  function pathOf(uri: vscode.Uri): string {
    return vscode.workspace.asRelativePath(uri);
  }

  async function bytesOf(uri: vscode.Uri): Promise<Buffer> {
    return Buffer.from(await vscode.workspace.fs.readFile(uri));
  }

  async function write(uri: vscode.Uri, content: string): Promise<void> {
    await vscode.workspace.fs.writeFile(uri, Buffer.from(content));
  }

  async function type(document: vscode.TextDocument, from: string, to: string): Promise<void> {
    const at = document.getText().indexOf(from);
    assert.notEqual(at, -1);
    const change = new vscode.WorkspaceEdit();
    const range = new vscode.Range(document.positionAt(at), document.positionAt(at + from.length));
    change.replace(document.uri, range, to);
    assert.ok(await vscode.workspace.applyEdit(change));
  }

  async function encoded(text: string, { encoding, hasMark }: SampleFile): Promise<Buffer> {
    const bytes = Buffer.from(await vscode.workspace.encode(text, { encoding }));
    const length = MARK_OF[encoding];
    if (length === undefined) return bytes;
    const hasOne = [0xfffe, 0xfeff].includes(bytes.readUInt16BE(0));
    const body = hasOne ? bytes.subarray(length) : bytes;
    const mark = Buffer.from(encoding === 'utf16le' ? [0xff, 0xfe] : [0xfe, 0xff]);
    return hasMark ? Buffer.concat([mark, body]) : body;
  }

  it('keep every byte outside of an edit, in all encodings, and are restored with every byte', async function () {
    this.timeout(60_000);
    const property = fc.asyncProperty(SAMPLES, async (sample) => {
      const { encoding, lineBreaks, endsWithBreak, state } = sample;
      const [first, second] = lineBreaks;
      const text = (one: string, two: string) =>
        `plain${first}${one}${second}${ENCODINGS[encoding]}${first}${two}${endsWithBreak ? second : ''}`;
      const uri = newFile();
      await vscode.workspace.fs.writeFile(uri, await encoded(text('one', 'two'), sample));
      const document = state === 'closed' ? undefined : await vscode.workspace.openTextDocument(uri, { encoding });
      if (document !== undefined && state === 'unsaved') await type(document, 'two', 'typed');
      const two = state === 'unsaved' ? 'typed' : 'two';
      checkpoint = new Checkpoint(join(storage, `${counter}`));
      await edit(uri, 'one', 'changed');
      assert.deepEqual(await bytesOf(uri), await encoded(text('changed', two), sample));
      assert.deepEqual(await checkpoint.view(), { files: 1, added: 1, removed: 1 });
      await restoreFiles([checkpoint]);
      assert.deepEqual(await bytesOf(uri), await encoded(text('one', two), sample));
    });
    await fc.assert(property, { numRuns: 20 });
  });

  it('are not written with characters that their encoding lacks', async () => {
    const uri = newFile();
    const bytes = await vscode.workspace.encode('# Привет\nx = 1\n', { encoding: 'windows1251' });
    await vscode.workspace.fs.writeFile(uri, bytes);
    await assert.rejects(edit(uri, 'x = 1', 'x = "東"'), /lacks the character “東”/);
    assert.deepEqual(await bytesOf(uri), Buffer.from(bytes));
    await vscode.workspace.openTextDocument(uri, { encoding: 'windows1251' });
    await assert.rejects(edit(uri, 'x = 1', 'x = "東"'), /lacks the character “東”/);
    await edit(uri, 'x = 1', 'x = "Да"');
    assert.equal(
      await vscode.workspace.decode(await bytesOf(uri), { encoding: 'windows1251' }),
      '# Привет\nx = "Да"\n',
    );
  });

  it('are not saved by an editor that has lost characters of them', async () => {
    const uri = newFile();
    const bytes = await vscode.workspace.encode('# Привет\nx = 1\n', { encoding: 'windows1251' });
    await vscode.workspace.fs.writeFile(uri, bytes);
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'utf8' });
    await type(document, 'x = 1', 'x = 2');
    await assert.rejects(edit(uri, 'x = 2', 'x = 3'), /encoding that loses/);
    assert.deepEqual(await bytesOf(uri), Buffer.from(bytes));
  });

  it('use the encoding of the settings', async () => {
    const uri = newFile('properties');
    const settings = vscode.workspace.getConfiguration('files', { uri, languageId: 'properties' });
    await settings.update('encoding', 'iso88592', vscode.ConfigurationTarget.Workspace, true);
    try {
      await vscode.workspace.fs.writeFile(uri, Buffer.from([0xb1, 0x0a, 0x78, 0x0a]));
      assert.match((await call('read_file', { path: pathOf(uri) })).text, /1\tą/);
      await edit(uri, 'x', 'š');
      assert.deepEqual([...(await bytesOf(uri))], [0xb1, 0x0a, 0xb9, 0x0a]);
    } finally {
      await settings.update('encoding', undefined, vscode.ConfigurationTarget.Workspace, true);
    }
  });

  it('tell the model what saving has changed', async () => {
    const uri = newFile();
    await write(uri, 'one\ntwo\n');
    const settings = vscode.workspace.getConfiguration('files', uri);
    await settings.update('trimTrailingWhitespace', true, vscode.ConfigurationTarget.Workspace);
    try {
      await vscode.workspace.openTextDocument(uri);
      const { text } = await edit(uri, 'one', 'one  ');
      assert.match(text, /changed this when it saved the file:\n-one {2}\n\+one$/);
    } finally {
      await settings.update('trimTrailingWhitespace', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('are restored with the text that was not saved before the run', async () => {
    const uri = newFile();
    await write(uri, 'one\ntwo\n');
    const document = await vscode.workspace.openTextDocument(uri);
    await type(document, 'two', 'typed');
    await edit(uri, 'one', 'changed');
    await restoreFiles([checkpoint]);
    assert.equal(String(await bytesOf(uri)), 'one\ntyped\n');
  });

  it('are renamed with what is not saved in the editor', async () => {
    const [from, to] = [newFile(), newFile()];
    await write(from, 'one\n');
    const document = await vscode.workspace.openTextDocument(from);
    await vscode.window.showTextDocument(document);
    await type(document, 'one', 'typed');
    await call('rename_file', { path: pathOf(from), new_path: pathOf(to) });
    await vscode.workspace.saveAll();
    assert.equal(String(await bytesOf(to)), 'typed\n');
    await assert.rejects(bytesOf(from));
    await restoreFiles([checkpoint]);
    await vscode.workspace.saveAll();
    assert.equal(String(await bytesOf(from)), 'typed\n');
    await assert.rejects(bytesOf(to));
  });

  it('are deleted with unsaved text only after a question, and are restored with it', async () => {
    const uri = newFile();
    await write(uri, 'one\n');
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document);
    assert.equal((await prepared('delete_file', { path: pathOf(uri) })).need, undefined);
    await type(document, 'one', 'typed');
    assert.equal((await prepared('delete_file', { path: pathOf(uri) })).need?.kind, 'write');
    await call('delete_file', { path: pathOf(uri) });
    await vscode.workspace.saveAll();
    await assert.rejects(bytesOf(uri));
    await restoreFiles([checkpoint]);
    assert.equal(String(await bytesOf(uri)), 'typed\n');
  });

  it('are not read or changed below unsaved cells of a notebook', async () => {
    const serializer = vscode.workspace.registerNotebookSerializer('jupyter-notebook', {
      deserializeNotebook: () => new vscode.NotebookData([]),
      serializeNotebook: ({ cells }) => Buffer.from(JSON.stringify(cells.map(({ value }) => value))),
    });
    const uri = newFile('ipynb');
    const cell = { cell_type: 'code', source: ['1'], metadata: {}, outputs: [], execution_count: null };
    await write(uri, JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 }));
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    const change = new vscode.WorkspaceEdit();
    const added = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, '2', 'python');
    change.set(uri, [vscode.NotebookEdit.insertCells(0, [added])]);
    assert.ok(await vscode.workspace.applyEdit(change));
    await eventually('the unsaved cell', async () => notebook.isDirty);
    const before = await bytesOf(uri);
    await assert.rejects(call('read_file', { path: pathOf(uri) }), /unsaved cells/);
    await assert.rejects(edit(uri, '"1"', '"3"'), /unsaved cells/);
    assert.deepEqual(await bytesOf(uri), before);
    assert.ok(await notebook.save());
    assert.equal(String(await bytesOf(uri)), '["2"]');
    assert.match((await call('read_file', { path: pathOf(uri) })).text, /\["2"\]/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    serializer.dispose();
  });
});
