import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProposalReview } from '../../../../src/editor/chat/apply/proposalReview.ts';
import { Uri, workspace } from '../../../support/editorApi/vscode.ts';

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
