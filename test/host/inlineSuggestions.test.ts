import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { dayOf } from '../../src/display/day.ts';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, ScriptedService } from '../support/scriptedService.ts';
import { inSandbox } from './extension.ts';

const SECTION = 'modelAccess.inlineSuggestions';

/** An answer of a server that fills in text. */
function fillIn(text: string): Answer {
  return (response) => {
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(`data: ${JSON.stringify({ choices: [{ text }] })}\n\n`);
    response.end(
      `data: ${JSON.stringify({ choices: [{ text: '', finish_reason: 'stop' }], usage })}\n\ndata: [DONE]\n\n`,
    );
  };
}

describe('inline suggestions', () => {
  let services: Services;
  let server: ScriptedService;
  let answer: Answer;
  const copies: vscode.Uri[] = [];

  before(async () => {
    services = await inSandbox();
    await services.models.refresh();
    server = await ScriptedService.start((response, request) => answer(response, request));
  });
  beforeEach(async () => {
    answer = fillIn('width * height;');
    await useServer();
    // Starts again, so that a test does not wait because of the requests of another one.
    await set('enabled', false);
    await set('enabled', true);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const copy of copies.splice(0)) await vscode.workspace.fs.delete(copy, { recursive: true });
  });
  after(async () => {
    for (const name of ['enabled', 'model', 'dailyCap', 'maxWait', 'languages', 'exclude']) await set(name, undefined);
    await vscode.workspace
      .getConfiguration('modelAccess')
      .update('upstreams', undefined, vscode.ConfigurationTarget.Global);
    await server.close();
  });

  const set = async (name: string, value: unknown) => {
    await vscode.workspace.getConfiguration(SECTION).update(name, value, vscode.ConfigurationTarget.Global);
  };
  const useServer = async (members: object = {}) => {
    const upstream = { id: 'local', baseUrl: `${server.origin}/v1`, formats: ['chat-completions'], fillIn: 'suffix' };
    const prices = { '*': { input: 1, output: 2 } };
    await vscode.workspace
      .getConfiguration('modelAccess')
      .update('upstreams', [{ ...upstream, prices, ...members }], vscode.ConfigurationTarget.Global);
    await set('model', 'local/coder');
  };
  const opened = async (content: string, language = 'typescript') => {
    const document = await vscode.workspace.openTextDocument({ content, language });
    const editor = await vscode.window.showTextDocument(document);
    const end = document.positionAt(content.indexOf('|') === -1 ? content.length : content.indexOf('|'));
    if (content.includes('|')) {
      await editor.edit((builder) => builder.delete(new vscode.Range(end, end.translate(0, 1))));
    }
    editor.selection = new vscode.Selection(end, end);
    return editor;
  };
  const type = async (text: string) => {
    for (const key of text) await vscode.commands.executeCommand('type', { text: key });
  };
  /** Accepts what is shown, as soon as something is. */
  const accepted = async (editor: vscode.TextEditor, expected: string, command = 'commit') => {
    await eventually('the suggestion in the document', async () => {
      await vscode.commands.executeCommand(`editor.action.inlineSuggest.${command}`);
      return editor.document.getText().includes(expected);
    });
  };
  /** A copy of the sample folder's sources, because the editor saves changes by itself. */
  const sampleCopy = async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    const copy = vscode.Uri.joinPath(root, 'copy');
    const target = vscode.Uri.joinPath(copy, 'src');
    await vscode.workspace.fs.copy(vscode.Uri.joinPath(root, 'src'), target, { overwrite: true });
    copies.push(copy);
    return copy;
  };
  const requests = () => server.requests.length;
  const suggestions = () => services.suggestions.current?.figures ?? assert.fail('They are not loaded.');
  const state = async () => (await services.suggestions.get()).state;
  const rows = async () => {
    const today = dayOf(Date.now());
    const question = { ledger: services.ledger, period: { first: today, last: today }, ofSandbox: false };
    const { callers } = await services.worker.rpc.readLedger('usage', question);
    return callers.find(({ source }) => source === 'inlineSuggestion');
  };

  it('appear while a person types, are accepted, and are rows of the ledger with their cost', async () => {
    const before = (await rows())?.exchanges ?? 0;
    const editor = await opened('export function area(width: number, height: number): number {\n  |\n}\n');
    await type('return ');
    await accepted(editor, '  return width * height;\n}');
    assert.equal((await rows())?.exchanges, before + 1);
    assert.ok((await rows())?.cost);
    const body = JSON.parse(server.requests.at(-1)?.body ?? '{}');
    assert.match(body.prompt, /height: number\): number \{\n {2}return $/);
    assert.equal(body.suffix, '\n}\n');
  });

  it('of several lines are accepted word by word, and typing along one needs no request', async () => {
    answer = fillIn('first();\n  second();\n');
    const editor = await opened('function both() {\n |\n}\n');
    await type(' ');
    await accepted(editor, 'first', 'acceptNextWord');
    const asked = requests();
    await type('(');
    await accepted(editor, 'second');
    assert.match(editor.document.getText(), / {2}first\(\);\n {2}second\(\);/);
    assert.equal(requests(), asked);
  });

  it('replace a closing bracket that the editor has added', async () => {
    answer = fillIn("'info', 'ready');");
    const editor = await opened("log(|)\nlog('warn');\n");
    await type(' ');
    await accepted(editor, "'ready');");
    assert.equal(editor.document.lineAt(0).text.replace('( ', '('), "log('info', 'ready');");
  });

  it('do not come back at the place where they were dismissed, unless the person asks', async () => {
    const editor = await opened('const area = |\n');
    await type('1 +');
    await eventually('a request', async () => server.requests.at(-1)?.body.includes('1 +') === true);
    await eventually('the suggestion', async () => suggestions().last?.outcome === 'shown');
    await vscode.commands.executeCommand('modelAccess.dismissInlineSuggestion');
    const asked = requests();
    await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
    await eventually('three answers', async () => requests() === asked + 3);
    await accepted(editor, 'width * height;');
  });

  it('offer up to three choices when the person asks', async () => {
    let count = 0;
    answer = (response, request) => {
      count += 1;
      return fillIn(`choice${count};`)(response, request);
    };
    const editor = await opened('const chosen = |\n');
    await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
    await eventually('three requests', async () => count === 3);
    await vscode.commands.executeCommand('editor.action.inlineSuggest.showNext');
    await accepted(editor, 'choice');
  });

  it('are canceled by the next key', async () => {
    answer = () => undefined;
    await set('maxWait', 60_000);
    await opened('const value = |\n');
    await type('1 +');
    const asked = requests();
    const request = await server.request(asked);
    await type(' ');
    assert.equal(await request.ended, 'left');
    await set('maxWait', undefined);
    await eventually('the figure', async () => suggestions().last?.outcome === 'canceled');
  });

  it('are dropped when they come too late, and the figure says so', async () => {
    answer = () => undefined;
    await set('maxWait', 200);
    await opened('const late = |\n');
    await type('1 +');
    await eventually('the figure', async () => suggestions().last?.outcome === 'late');
    await set('maxWait', undefined);
  });

  it('stop at the cap for the day', async () => {
    await set('dailyCap', 0.000001);
    await eventually('the cap', async () => (await state()).status === 'capped');
    const asked = requests();
    await opened('const capped = |\n');
    await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
    const { now } = Date;
    try {
      Date.now = () => now() + 24 * 60 * 60_000;
      assert.equal((await state()).status, 'on', 'on the next day');
    } finally {
      Date.now = now;
    }
    await set('dailyCap', undefined);
    assert.equal((await state()).status, 'on');
    assert.equal(requests(), asked);
  });

  it('pause after a failure, with its reason', async () => {
    answer = (response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"This key is not valid."}}');
    };
    await opened('const failing = |\n');
    await type('1 +');
    await eventually('the failure', async () => (await state()).status === 'failed');
    assert.match((await state()).problem ?? '', /not valid/);
    (await state()).resume();
    assert.equal((await state()).status, 'on');
  });

  it('pause while the server cannot be reached', async () => {
    await useServer({ baseUrl: 'http://127.0.0.1:9/v1' });
    await opened('const offline = |\n');
    await type('1 +');
    await eventually('the failure', async () => (await state()).status === 'failed');
    assert.match((await state()).problem ?? '', /127\.0\.0\.1:9/);
    (await state()).resume();
  });

  it('keep the line endings of Windows', async () => {
    answer = fillIn('first();\n  second();\n');
    const editor = await opened('function both() {\r\n |\r\n}\r\n');
    await editor.edit((builder) => builder.setEndOfLine(vscode.EndOfLine.CRLF));
    await type(' ');
    await accepted(editor, 'second();');
    assert.equal(/[^\r]\n/.test(editor.document.getText()), false);
    assert.doesNotMatch(server.requests.at(-1)?.body ?? '', /\\r/);
  });

  it('work in text from right to left', async () => {
    answer = fillIn('שלום עולם";');
    const editor = await opened('const ברכה = "|\n');
    await type(' ');
    await accepted(editor, 'שלום עולם";');
  });

  it('work in the cells of a notebook', async () => {
    answer = fillIn('values) / len(values)');
    const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'mean = sum(', 'python');
    const serializer = vscode.workspace.registerNotebookSerializer('jupyter-notebook', {
      deserializeNotebook: () => new vscode.NotebookData([]),
      serializeNotebook: () => new Uint8Array(),
    });
    const notebook = await vscode.workspace.openNotebookDocument('jupyter-notebook', new vscode.NotebookData([cell]));
    await vscode.window.showNotebookDocument(notebook);
    await vscode.commands.executeCommand('notebook.cell.edit');
    const { document } = notebook.cellAt(0);
    await eventually('the editor of the cell', async () => vscode.window.activeTextEditor?.document === document);
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor);
    await vscode.commands.executeCommand('cursorLineEnd');
    await type(' ');
    await accepted(editor, 'len(values)');
    serializer.dispose();
  });

  it('are not asked for with several cursors, with a selection, in a word, or in a comment', async () => {
    const asked = requests();
    const editor = await opened('const one = 1;\nconst two = 2;\n// A comment\n');
    const trigger = async (...selections: vscode.Selection[]) => {
      editor.selections = selections;
      await vscode.commands.executeCommand('editor.action.inlineSuggest.trigger');
    };
    await trigger(new vscode.Selection(0, 12, 0, 12), new vscode.Selection(1, 12, 1, 12));
    await trigger(new vscode.Selection(0, 0, 0, 5));
    editor.selections = [new vscode.Selection(0, 8, 0, 8)];
    await type('x');
    editor.selections = [new vscode.Selection(2, 12, 2, 12)];
    await type(' with more');
    // A request for a place where one is asked for shows that none was sent before.
    editor.selection = new vscode.Selection(3, 0, 3, 0);
    await type('const three = ');
    const request = await server.request(asked);
    assert.match(request.body, /const three/);
  });

  it('are not asked for in files that Git ignores, and never see those', async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    const [ignored, open] = ['kept.secret.ts', 'open.ts'].map((name) => vscode.Uri.joinPath(root, name));
    const rules = vscode.Uri.joinPath(root, '.gitignore');
    assert.ok(ignored && open);
    await vscode.workspace.fs.writeFile(rules, Buffer.from('*.secret.ts\n'));
    await vscode.workspace.fs.writeFile(ignored, Buffer.from('export function hiddenName(value: number) {\n'));
    await vscode.workspace.fs.writeFile(open, Buffer.from("import { hiddenName } from './kept.secret.ts';\n\n"));
    try {
      const asked = requests();
      const first = await vscode.window.showTextDocument(ignored);
      first.selection = new vscode.Selection(1, 0, 1, 0);
      await type('return ');
      const second = await vscode.window.showTextDocument(open);
      second.selection = new vscode.Selection(2, 0, 2, 0);
      await type('const seen = ');
      const request = await server.request(asked);
      assert.match(request.body, /const seen/);
      assert.doesNotMatch(request.body, /value: number/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      for (const uri of [rules, ignored, open]) await vscode.workspace.fs.delete(uri);
    }
  });

  it('tell the model what neighbors declare', async () => {
    const folder = await sampleCopy();
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, 'src/parcel.ts'), { preview: false });
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, 'src/quote.ts'), {
      preview: false,
    });
    const last = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(last, last);
    const asked = requests();
    await type('\nconst weight = ');
    const { body } = await server.request(asked);
    assert.match(body, /src\/parcel\.ts/);
    assert.match(body, /export function chargeableWeight\(\{ length, width, height, weight \}: Parcel\): number/);
  });

  it('are prepared for the sample folder in the sandbox', async () => {
    await set('model', 'familya-haiku-4.5');
    const folder = await sampleCopy();
    const editor = await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, 'src/quote.ts'));
    const last = editor.document.lineAt(editor.document.lineCount - 1).range.end;
    editor.selection = new vscode.Selection(last, last);
    await type('\nexport function ');
    await accepted(editor, 'export function cheapestZone(parcel: Parcel): Zone {');
  });

  it('read no more of a file of 2 MB than the request contains', async () => {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    const uri = vscode.Uri.joinPath(root, 'long.ts');
    const lines = 'export const filler: readonly string[] = ["one", "two", "three"];\n'.repeat(32_000);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(`${lines}const last =`));
    try {
      const editor = await vscode.window.showTextDocument(uri);
      editor.selection = new vscode.Selection(32_000, 12, 32_000, 12);
      const asked = requests();
      await type(' 1 +');
      const { body } = await server.request(asked);
      assert.ok(body.length < 12_000, `${body.length} characters`);
      await accepted(editor, 'width * height;');
      await vscode.commands.executeCommand('workbench.action.files.revert');
    } finally {
      await vscode.workspace.fs.delete(uri);
    }
  });

  it('stop with the switch, and start again', async () => {
    await set('enabled', false);
    const asked = requests();
    const editor = await opened('const off = |\n');
    await type('1 +');
    await set('enabled', true);
    await type(' 2 +');
    const { body } = await server.request(asked);
    assert.match(body, /1 \+ 2 \+/);
    await accepted(editor, 'width * height;');
  });

  it('are asked for after typing only, not after undoing, formatting, or an edit of a tool', async () => {
    const editor = await opened('const one = ;\nconst two = 2 +\nlet three =   3\n');
    const asked = requests();
    const { document } = editor;
    const edited = async (range: vscode.Range, text: string) => {
      const edit = new vscode.WorkspaceEdit();
      edit.replace(document.uri, range, text);
      assert.ok(await vscode.workspace.applyEdit(edit));
    };
    editor.selection = new vscode.Selection(1, 15, 1, 15);
    // A tool writes elsewhere, and the whole text.
    await edited(new vscode.Range(0, 12, 0, 12), '1');
    await edited(new vscode.Range(0, 0, 3, 0), `${document.getText().repeat(4)}`);
    await edited(new vscode.Range(3, 0, document.lineCount, 0), '');
    // A formatter of a selection.
    const formatter = vscode.languages.registerDocumentFormattingEditProvider('typescript', {
      provideDocumentFormattingEdits: () => [vscode.TextEdit.replace(new vscode.Range(2, 11, 2, 14), ' ')],
    });
    await vscode.commands.executeCommand('editor.action.formatDocument');
    formatter.dispose();
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('redo');
    editor.selection = new vscode.Selection(1, 15, 1, 15);
    await type(' 4 +');
    const { body } = await server.request(asked);
    assert.match(body, /const two = 2 \+ 4 \+/, 'The first request is the one after typing.');
    await vscode.commands.executeCommand('undo');
    // Another document shows that undoing has sent nothing.
    const before = requests();
    await opened('const last = |\n');
    await type('5 +');
    assert.match((await server.request(before)).body, /const last = 5 \+/);
  });

  it('offer the same change at the next place after it was made twice', async () => {
    const editor = await opened('const cost = 1;\nlog(cost);\nsum(cost);\nshow(cost);\nkeep(cost);\nlast();\n');
    const rename = async (line: number, column: number) => {
      const range = new vscode.Range(line, column, line, column + 4);
      await editor.edit((builder) => builder.replace(range, 'price'));
      editor.selection = new vscode.Selection(line, column + 5, line, column + 5);
    };
    await rename(0, 6);
    await rename(1, 4);
    await eventually('the third change', async () => {
      await vscode.commands.executeCommand('modelAccess.acceptNextEdit');
      return editor.document.lineAt(2).text === 'sum(price);';
    });
    await vscode.commands.executeCommand('modelAccess.acceptNextEdit');
    assert.equal(editor.document.lineAt(3).text, 'show(price);');
    // The next one is not made once the person has gone elsewhere, where Tab indents.
    const moved = new Promise<void>((resolve) => {
      const subscription = vscode.window.onDidChangeTextEditorSelection(({ selections: [selection] }) => {
        if (selection?.active.line !== 5) return;
        subscription.dispose();
        resolve();
      });
    });
    editor.selection = new vscode.Selection(5, 0, 5, 0);
    await moved;
    await vscode.commands.executeCommand('modelAccess.acceptNextEdit');
    assert.equal(editor.document.lineAt(4).text, 'keep(cost);');
  });
});
