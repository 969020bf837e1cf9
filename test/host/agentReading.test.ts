import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToolOutcome } from '../../src/agent/tools/tool.ts';
import { editTools } from '../../src/editor/agent/tools/editTools.ts';
import { readTools } from '../../src/editor/agent/tools/readTools.ts';
import { contentOfResult } from '../../src/editor/agent/tools/resultContent.ts';
import { activated } from './extension.ts';

const LARGE = 'large.log';
/** A line of 60 characters. */
const line = (number: number) => `${String(number).padStart(9, '0')} ${'x'.repeat(50)}`;

/** One pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

describe('what the agent reads', () => {
  let root: vscode.Uri;

  before(async () => {
    await activated();
    root = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('No folder is open.');
    const lines = Array.from({ length: 100_000 }, (_, index) => line(index + 1));
    await write(LARGE, `${lines.join('\n')}\n`);
  });
  after(() => vscode.workspace.fs.delete(at(LARGE)));

  const at = (path: string) => vscode.Uri.joinPath(root, path);
  const write = (path: string, text: string) => vscode.workspace.fs.writeFile(at(path), new TextEncoder().encode(text));

  async function run(tools: ReturnType<typeof readTools>, name: string, args: object): Promise<ToolOutcome> {
    const tool = tools.find(({ definition }) => definition.name === name) ?? assert.fail(`There is no tool ${name}.`);
    const { run: act } = await tool.prepare(args);
    const { signal } = new AbortController();
    return act({
      place: { step: '', call: '' },
      signal,
      report: () => undefined,
      ask: () => Promise.reject(new Error('It asked.')),
    });
  }
  const read = async (name: string, args: object) => (await run(readTools(), name, args)).text;

  it('is a range of lines of a file of 6 MB, or its beginning', async () => {
    const range = await read('read_file', { path: LARGE, start_line: 10, end_line: 12 });
    assert.equal(range, [10, 11, 12].map((number) => `${number}\t${line(number)}`).join('\n'));
    const beginning = await read('read_file', { path: LARGE });
    assert.ok(beginning.startsWith(`1\t${line(1)}\n`));
    assert.ok(beginning.endsWith('[The file has more lines. Read them with start_line and end_line.]'));
    const end = await read('read_file', { path: LARGE, start_line: 99_999, end_line: 200_000 });
    assert.ok(end.startsWith(`99999\t${line(99_999)}\n100000\t${line(100_000)}\n`), end);
    assert.doesNotMatch(end, /more lines/);
  });

  it('names the files that were too large to be searched', async () => {
    const text = await read('search_text', { query: '000050000' });
    assert.match(text, /^Nothing was found\.\n\[Not searched, because they are larger than 1 MB: large\.log\. /);
  });

  it('says that ignored files were not searched if nothing else was found', async () => {
    await write('.gitignore', 'generated/\n');
    await write('generated/one.ts', 'export const hiddenWord = 1;\n');
    try {
      assert.equal(
        await read('search_text', { query: 'hiddenWord', files: 'generated/**' }),
        'Nothing was found.\n[1 ignored file was not searched.]',
      );
      assert.equal(
        await read('find_files', { pattern: 'generated/*' }),
        'There is nothing.\n[1 ignored file was not searched.]',
      );
      assert.equal(await read('find_files', { pattern: 'nowhere/*' }), 'There is nothing.');
    } finally {
      for (const path of ['.gitignore', 'generated']) await vscode.workspace.fs.delete(at(path), { recursive: true });
    }
  });

  it('ends with a sentence if the editor does not find the files in time', async () => {
    for (const [name, args] of [
      ['find_files', { pattern: '**/*.ts' }],
      ['search_text', { query: 'quote' }],
    ] as const) {
      await assert.rejects(
        run(readTools({ maxSearchMs: 0 }), name, args),
        /did not find the files within 0 seconds.*use list_files/,
      );
    }
  });

  it('is found by a path with quotes, a line number, a mention, or a slash before it', async () => {
    for (const path of ['"src/quote.ts"', 'src/quote.ts:3', '@src/quote.ts', '/src/quote.ts', '`@/src/quote.ts:3-5`']) {
      assert.match(await read('read_file', { path, end_line: '1' }), /^1\t/, path);
    }
    const services = { checkpoint: () => assert.fail(), isReviewedFirst: () => false };
    const create = editTools(services).find(({ definition }) => definition.name === 'create_file');
    const prepared = await create?.prepare({ path: '/src/fresh.ts', content: '' });
    assert.equal(prepared?.action.object, 'src/fresh.ts');
    assert.equal(prepared?.need, undefined);
    const outside = await create?.prepare({ path: '/nowhere/fresh.ts', content: '' });
    assert.equal(outside?.need?.reason, 'outside');
  });

  it('does not count as from somebody else if it is sent with every request anyway', async () => {
    await write('AGENTS.md', 'Agents must run the tests before they commit.\n');
    try {
      const isInstructions = (uri: vscode.Uri) => uri.path.endsWith('/AGENTS.md');
      const tools = readTools({ isInstructions });
      assert.equal((await run(tools, 'read_file', { path: 'AGENTS.md' })).source, undefined);
    } finally {
      await vscode.workspace.fs.delete(at('AGENTS.md'));
    }
    assert.deepEqual((await run(readTools(), 'read_file', { path: 'README.md' })).source, {
      name: 'README.md',
      isFile: true,
    });
  });

  it('includes the JSON, the trees, and the images that tools of other extensions return, and names the rest', () => {
    const bytes = new TextEncoder().encode('{"total": 3}');
    const drawn = { type: 1, ctor: 3, children: [], props: { src: PNG.toString('base64') } };
    const tree = { node: { type: 1, children: [{ type: 2, text: 'from a tree' }, drawn] } };
    const { text, images } = contentOfResult([
      new vscode.LanguageModelTextPart('plain '),
      new vscode.LanguageModelDataPart(bytes, 'application/json'),
      new vscode.LanguageModelPromptTsxPart(tree),
      new vscode.LanguageModelDataPart(PNG, 'image/jpeg'),
      new vscode.LanguageModelDataPart(new Uint8Array(9), 'audio/wav'),
    ]);
    assert.equal(
      text,
      'plain {"total": 3}from a tree\n[Image 1: image/png, 1 by 1 pixels]\n\n[Image 2: image/png, 1 by 1 pixels]\n' +
        '\n[The tool also returned 9 bytes of audio/wav, which cannot be shown here.]\n',
    );
    const image = { mediaType: 'image/png', data: PNG.toString('base64') };
    assert.deepEqual(images, [image, image]);
  });

  it('is an image as a model sees it, and text whatever the name of its file says', async () => {
    await vscode.workspace.fs.writeFile(at('dot.png'), PNG);
    await write('text.png', 'no image');
    try {
      const { text, images } = await run(readTools(), 'read_file', { path: 'dot.png' });
      assert.equal(text, '[Image 1: image/png, 1 by 1 pixels]');
      assert.deepEqual(images, [{ mediaType: 'image/png', data: PNG.toString('base64') }]);
      assert.equal((await run(readTools(), 'read_file', { path: 'text.png' })).text, '1\tno image');
    } finally {
      for (const path of ['dot.png', 'text.png']) await vscode.workspace.fs.delete(at(path));
    }
  });
});
