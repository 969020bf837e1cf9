import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Uri as EditorUri } from 'vscode';
import { Checkpoint } from '../../../../src/editor/agent/checkpoints.ts';
import { restoreFiles } from '../../../../src/editor/agent/restoreRun.ts';
import { ChatWindow, type ServedRequest } from '../../../support/chatWindow.ts';
import { diskFiles } from '../../../support/editorApi/diskFiles.ts';
import { Uri, workspace } from '../../../support/editorApi/vscode.ts';
import { eventually } from '../../../support/eventually.ts';
import { toolCall } from '../../../support/helpersModel.ts';

describe('undoing a restore', () => {
  const { fs, workspaceFolders } = workspace;
  let folder: string;
  let run: Checkpoint;

  before(() => {
    Object.assign(workspace, { fs: diskFiles(async () => undefined) });
  });
  after(() => {
    Object.assign(workspace, { fs, workspaceFolders });
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'restore-run-'));
    run = new Checkpoint(join(folder, 'checkpoint'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  const pathOf = (name: string) => join(folder, name);
  const uriOf = (name: string) => Uri.file(pathOf(name)) as unknown as EditorUri;
  const textOf = (name: string) => readFileSync(pathOf(name), 'utf8');

  /** Writes a file as a tool of the run does. */
  async function write(name: string, text: string): Promise<void> {
    await run.keep(uriOf(name));
    writeFileSync(pathOf(name), text);
    await run.wrote(uriOf(name));
  }

  it('and its plan take a file as gone that is deleted between two looks at it', async () => {
    writeFileSync(pathOf('old.txt'), 'old');
    await write('old.txt', 'changed');
    const { fs: files } = workspace;
    const vanish = async (uri: Uri) => {
      rmSync(uri.fsPath);
      return diskFiles(async () => undefined).readFile(uri);
    };
    Object.assign(workspace, { fs: { ...files, readFile: vanish } });
    try {
      assert.deepEqual(
        (await run.changed()).map(({ after }) => after),
        [undefined],
      );
    } finally {
      Object.assign(workspace, { fs: files });
    }
  });

  it('forgets no file that the run has created since, so that the next restore removes it', async () => {
    writeFileSync(pathOf('old.txt'), 'old');
    await write('old.txt', 'changed');
    const undo = await restoreFiles([run]);
    await write('new.txt', 'new');
    await undo();
    assert.deepEqual([textOf('old.txt'), textOf('new.txt')], ['changed', 'new']);
    await restoreFiles([run]);
    assert.deepEqual([textOf('old.txt'), existsSync(pathOf('new.txt'))], ['old', false]);
  });

  it('leaves a file alone that was written since, and says so', async () => {
    for (const name of ['one.txt', 'two.txt', 'three.txt']) writeFileSync(pathOf(name), 'old');
    await write('one.txt', 'changed');
    await write('two.txt', 'changed');
    await write('three.txt', 'changed');
    await write('new.txt', 'new');
    const undo = await restoreFiles([run]);
    await write('one.txt', 'by the run');
    writeFileSync(pathOf('two.txt'), 'by the person');
    await assert.rejects(undo, /one\.txt was changed in the meantime/);
    assert.deepEqual(['one.txt', 'two.txt', 'three.txt', 'new.txt'].map(textOf), [
      'by the run',
      'by the person',
      'changed',
      'new',
    ]);
    assert.deepEqual((await run.edited()).map(String), [uriOf('two.txt').toString()]);
    await restoreFiles([run]);
    assert.deepEqual(['one.txt', 'two.txt', 'three.txt'].map(textOf), ['old', 'old', 'old']);
    assert.equal(existsSync(pathOf('new.txt')), false);
  });

  it('is not needed if a file cannot be written, because then none is restored', async () => {
    const later = new Checkpoint(join(folder, 'later'));
    for (const name of ['one.txt', 'two.txt']) writeFileSync(pathOf(name), 'old');
    await write('one.txt', 'changed');
    await later.keep(uriOf('two.txt'));
    writeFileSync(pathOf('two.txt'), 'changed');
    await later.wrote(uriOf('two.txt'));
    const { fs: files } = workspace;
    const { writeFile } = diskFiles(async () => undefined);
    const writeAllButOne: typeof writeFile = async (uri, bytes) => {
      if (uri.path.endsWith('one.txt')) throw new Error('one.txt cannot be written.');
      await writeFile(uri, bytes);
    };
    Object.assign(workspace, { fs: { ...files, writeFile: writeAllButOne } });
    try {
      await assert.rejects(restoreFiles([run, later]), /one\.txt cannot be written/);
    } finally {
      Object.assign(workspace, { fs: files });
    }
    assert.deepEqual(['one.txt', 'two.txt'].map(textOf), ['changed', 'changed']);
    assert.deepEqual((await later.edited()).map(String), []);
    await restoreFiles([run, later]);
    assert.deepEqual(['one.txt', 'two.txt'].map(textOf), ['old', 'old']);
  });

  /** A model that edits the file in the first chat; in the second, it also calls a tool that needs an approval. */
  async function* answer({ request }: ServedRequest) {
    const said = JSON.stringify(request.messages);
    const isSecond = said.includes('Second');
    const done = request.messages.filter(({ role }) => role === 'assistant').length;
    const [from, to] = isSecond ? ['first', 'second'] : ['old', 'first'];
    if (done === 0)
      yield* toolCall('edit', 'edit_file', { path: 'one.txt', edits: [{ old_text: from, new_text: to }] });
    else if (done === 1 && isSecond) yield* toolCall('deploy', 'deploy', {});
    else yield { type: 'textDelta', index: 0, text: 'Done.' } as const;
    yield { type: 'finish', reason: 'stop' } as const;
  }

  it('follows a restore, which is refused while a run of another chat works on its files', async () => {
    const work = join(folder, 'work');
    mkdirSync(work);
    writeFileSync(join(work, 'one.txt'), 'old');
    Object.assign(workspace, { workspaceFolders: [{ uri: Uri.file(work), name: 'work', index: 0 }] });
    const window = new ChatWindow({
      checkpoints: join(folder, 'checkpoints'),
      agentTools: { deploy: async () => 'deployed' },
      answer,
    });
    const { session } = window;
    await session.chat.chooseMode('agent');
    await session.chat.turns.send('First');
    const [id, runId] = [session.chat.id, session.chat.runs.view?.id ?? ''];
    await session.startNew();
    await session.chat.chooseMode('agent');
    const second = session.chat;
    const sent = second.turns.send('Second');
    await eventually('the question', async () => second.isWaiting);
    await session.open(id);
    const restore = async () => {
      await session.chat.runs.receive({ type: 'restoreRun', runId });
      await session.chat.runs.receive({ type: 'confirmRestore', files: true, chat: false });
    };
    await assert.rejects(restore, /works on a file that would be restored/);
    assert.equal(readFileSync(join(work, 'one.txt'), 'utf8'), 'second');
    second.stop();
    await sent;
    await restore();
    assert.equal(readFileSync(join(work, 'one.txt'), 'utf8'), 'old');
    session.dispose();
  });
});
