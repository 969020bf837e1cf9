import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProposalReview } from '../../../../src/editor/chat/apply/proposalReview.ts';
import { commands, EventEmitter, Uri, type WorkspaceEdit, workspace } from '../../../support/editorApi/vscode.ts';
import { eventually } from '../../../support/eventually.ts';

describe('the review of proposed changes after a reload of the window', () => {
  const { textDocuments } = workspace;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'review-'));
  });
  afterEach(async () => {
    Object.assign(workspace, { textDocuments });
    await rm(folder, { recursive: true });
  });

  it('stays open if its page sends two messages at once', async () => {
    const uri = new Uri('untitled', '/file.ts');
    const document = { uri, getText: () => 'one\n', isDirty: true, isClosed: false };
    Object.assign(workspace, { textDocuments: [document] });
    const files = [{ uri: uri.toString(), base: 'one\n', current: 'two\n' }];
    await writeFile(join(folder, 'proposedChanges.json'), JSON.stringify({ files, answers: [] }));
    const posted: { readonly state?: { readonly files: readonly unknown[] } }[] = [];
    const tab = {
      title: '',
      onDidClose: () => ({ dispose: () => undefined }),
      close: () => assert.fail('It was closed.'),
      post: (message: (typeof posted)[number]) => posted.push(message),
    };
    const review = new ProposalReview({
      tab,
      storage: Uri.file(folder),
      log: { error: (_: string, error: unknown) => assert.fail(String(error)) },
    } as never);
    await Promise.all([review.receive({ type: 'ready' }), review.receive({ type: 'ready' })]);
    assert.equal(
      posted.every(({ state }) => state?.files.length === 1),
      true,
    );
    review.dispose();
  });
});

describe('the review of proposed changes', () => {
  const { textDocuments, applyEdit } = workspace;
  const { executeCommand } = commands;
  afterEach(() => {
    Object.assign(workspace, { textDocuments, applyEdit });
    Object.assign(commands, { executeCommand });
  });

  it('shows what is applied while the last change before is being written', async () => {
    const documents = ['/one.ts', '/two.ts'].map((path) => ({
      uri: new Uri('untitled', path),
      text: 'one\n',
      getText() {
        return this.text;
      },
      isDirty: true,
      isClosed: false,
    }));
    const [first, second] = documents as never[];
    const writing = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    Object.assign(workspace, {
      textDocuments: documents,
      applyEdit: async (edit: WorkspaceEdit) => {
        begun.resolve();
        await writing.promise;
        Object.assign(documents[0] ?? {}, { text: edit.replaced[0]?.text });
        return true;
      },
    });
    const shown: string[] = [];
    Object.assign(commands, { executeCommand: async (_: string, uri: Uri) => shown.push(uri.path) });
    const closed = new EventEmitter<void>();
    let files: readonly { readonly name: string }[] = [];
    const tab = {
      title: '',
      onDidClose: closed.event,
      reveal: async () => shown.push(tab.title),
      close: () => closed.fire(),
      post: ({ state }: { readonly state: { readonly files: typeof files } }) => {
        files = state.files;
      },
    };
    const review = new ProposalReview({
      tab,
      undo: { offerLasting: () => undefined },
      isChatVisible: () => true,
      applied: { add: async () => undefined },
      log: { error: (_: string, error: unknown) => assert.fail(String(error)) },
    } as never);
    await review.open([{ document: first as never, base: 'one\n', current: 'two\n' }], []);
    const accepted = review.receive({ type: 'decideAll', decision: 'accepted' });
    await begun.promise;
    const opened = review.open([{ document: second as never, base: 'one\n', current: 'two\n' }], []);
    writing.resolve();
    await Promise.all([accepted, opened]);
    await eventually('the second file', async () => files.some(({ name }) => name === 'two.ts'));
    assert.match(shown.at(-1) ?? '', /^Review: /);
    review.dispose();
  });

  it('are saved when they are undone, even if the editor says of the text that it is saved already', async () => {
    const saved: string[] = [];
    const document = {
      uri: new Uri('memory', '/file.ts'),
      text: 'one\n',
      getText: () => document.text,
      isDirty: false,
      isClosed: false,
      isUntitled: false,
      save: async () => saved.push(document.text),
    };
    Object.assign(workspace, {
      textDocuments: [document],
      applyEdit: async (edit: WorkspaceEdit) => {
        document.text = edit.replaced[0]?.text ?? '';
        return true;
      },
    });
    Object.assign(commands, { executeCommand: async () => undefined });
    const offered = Promise.withResolvers<{ undo(): Promise<void> }>();
    const nothing = () => undefined;
    const review = new ProposalReview({
      tab: { title: '', onDidClose: new EventEmitter<void>().event, reveal: nothing, close: nothing, post: nothing },
      undo: { offerLasting: offered.resolve },
      isChatVisible: () => true,
      applied: { add: async () => undefined, remove: async () => undefined },
      log: { error: (_: string, error: unknown) => assert.fail(String(error)) },
    } as never);
    await review.open([{ document: document as never, base: 'one\n', current: 'two\n' }], []);
    await review.receive({ type: 'decideAll', decision: 'accepted' });
    assert.equal(document.text, 'two\n');
    await (await offered.promise).undo();
    assert.deepEqual(saved, ['one\n']);
    review.dispose();
  });
});
