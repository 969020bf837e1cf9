import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { TextReview } from '../../src/chat/review/textReview.ts';
import type { Services } from '../../src/editor/services.ts';
import type { ReviewDecision } from '../../src/pages/agentReview/protocol.ts';
import { eventually } from '../support/eventually.ts';
import { inSandbox } from './extension.ts';

const ORIGINAL = 'export const one = 1;\n\nexport const two = 2;\n\nexport const three = 3;\n';
/** The file with two changes. */
const CODE = '/** The first. */\nexport const one = 1;\n\nexport const two = 2;\n\nexport const three = 33;\n';

describe('the review of proposed changes', () => {
  let services: Services;
  let folder: vscode.Uri;
  let uri: vscode.Uri;
  let count = 0;

  before(async () => {
    services = await inSandbox();
    const root = vscode.workspace.workspaceFolders?.[0]?.uri;
    assert.ok(root);
    folder = vscode.Uri.joinPath(root, 'reviewed');
  });
  beforeEach(async () => {
    count += 1;
    uri = vscode.Uri.joinPath(folder, `review${count}.ts`);
    await vscode.workspace.fs.writeFile(uri, Buffer.from(ORIGINAL));
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAuxiliaryBar');
    await decideAll('discarded');
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  /** Proposes new code for the whole file. */
  async function propose(code: string, target = uri): Promise<void> {
    const document = await vscode.workspace.openTextDocument(target);
    const range = document.validateRange(new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0));
    const apply = await services.apply.get();
    await apply.propose({ uri: target, range, text: document.getText(range) }, code, { id: `answer${count}` });
  }

  /** Decides as the page does. */
  async function decide(decision: ReviewDecision, index: number): Promise<void> {
    const hunk = new TextReview().open({ base: ORIGINAL, current: CODE })[index];
    assert.ok(hunk);
    const apply = await services.apply.get();
    await apply.receiveReview({ type: 'decide', decision, changes: [{ file: uri.toString(), id: hunk.id }] });
  }

  async function decideAll(decision: ReviewDecision): Promise<void> {
    if (reviewTabs().length > 0) await (await services.apply.get()).receiveReview({ type: 'decideAll', decision });
  }

  const textOf = async (target: vscode.Uri) => (await vscode.workspace.openTextDocument(target)).getText();
  const reviewTabs = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('proposalReview'));

  /** Waits for the title of the review, which the editor tells its extensions a moment later. */
  const titled = (title: string) =>
    eventually(
      title,
      async () =>
        reviewTabs()
          .map(({ label }) => label)
          .join() === title,
    );

  /** Shows the chat, and waits until it is visible. */
  async function showChat(): Promise<void> {
    await vscode.commands.executeCommand('modelAccess.chat.focus');
    await eventually('the chat', async () => services.session.panel.isVisible());
  }

  /** Resolves with the next offer to undo in the chat. */
  function nextNotice(): Promise<{ readonly id: string; readonly text: string }> {
    return new Promise((resolve) => {
      const subscription = services.session.panel.onDidPost((message) => {
        if (message.type !== 'notice') return;
        subscription.dispose();
        resolve(message.notice);
      });
    });
  }

  it('writes an accepted change at once, never a discarded one, and closes when all are decided', async () => {
    await propose(CODE);
    assert.equal(await textOf(uri), ORIGINAL);
    await titled(`Review: review${count}.ts`);
    await decide('accepted', 0);
    assert.equal(await textOf(uri), `/** The first. */\n${ORIGINAL}`);
    await decide('discarded', 1);
    assert.equal(await textOf(uri), `/** The first. */\n${ORIGINAL}`);
    await eventually('the closed review', async () => reviewTabs().length === 0);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), uri.toString());
  });

  it('accepts and discards all changes with the commands that the review of a run has', async () => {
    await propose(CODE);
    await vscode.commands.executeCommand('modelAccess.discardAllChanges');
    assert.equal(await textOf(uri), ORIGINAL);
    await propose(CODE);
    await vscode.commands.executeCommand('modelAccess.acceptAllChanges');
    assert.equal(await textOf(uri), CODE);
  });

  it('offers Undo in the chat when all are decided, which saves a file that was saved before', async () => {
    await showChat();
    await propose(CODE);
    const offered = nextNotice();
    await vscode.commands.executeCommand('modelAccess.acceptAllChanges');
    const notice = await offered;
    assert.match(notice.text, /^2 of 2 changes applied to review\d+\.ts$/);
    await services.session.undo.undo(notice.id);
    const document = await vscode.workspace.openTextDocument(uri);
    assert.deepEqual([document.getText(), document.isDirty], [ORIGINAL, false]);
  });

  it('keeps the user’s own lines when it is undone, and says so where they are in the way', async () => {
    await showChat();
    await propose(CODE);
    const offered = nextNotice();
    await vscode.commands.executeCommand('modelAccess.acceptAllChanges');
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(3, 0), '// mine\n');
    edit.replace(uri, new vscode.Range(5, 0, 5, 30), 'export const three = 34;');
    await vscode.workspace.applyEdit(edit);
    await assert.rejects(services.session.undo.undo((await offered).id), /has been edited since/);
    assert.equal(
      await textOf(uri),
      ORIGINAL.replace('\n\nexport const two', '\n\n// mine\nexport const two').replace('= 3;', '= 34;'),
    );
  });

  it('shows the changes of several files together, and adds to what is open', async () => {
    const other = vscode.Uri.joinPath(folder, `other${count}.ts`);
    await vscode.workspace.fs.writeFile(other, Buffer.from(ORIGINAL));
    await propose(CODE);
    await propose(CODE, other);
    await titled('Review: 2 files');
    await vscode.commands.executeCommand('modelAccess.acceptAllChanges');
    assert.deepEqual([await textOf(uri), await textOf(other)], [CODE, CODE]);
  });

  it('continues with a renamed file', async () => {
    await propose(CODE);
    await decide('accepted', 0);
    const renamed = vscode.Uri.joinPath(folder, `renamed${count}.ts`);
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uri, renamed);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await vscode.commands.executeCommand('modelAccess.acceptAllChanges');
    assert.equal(await textOf(renamed), CODE);
    assert.equal(vscode.window.activeTextEditor?.document.uri.toString(), renamed.toString());
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(uri)), /./);
  });

  it('does not recreate a deleted file', async () => {
    await propose(CODE);
    await vscode.workspace.fs.delete(uri);
    const apply = await services.apply.get();
    await assert.rejects(
      apply.receiveReview({ type: 'decideAll', decision: 'accepted' }),
      /no longer exists\. Nothing was written\./,
    );
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(uri)), /./);
    await apply.receiveReview({ type: 'decideAll', decision: 'discarded' });
  });

  it('is dropped when its tab is closed, and changes nothing then', async () => {
    await propose(CODE);
    await titled(`Review: review${count}.ts`);
    await vscode.window.tabGroups.close(reviewTabs());
    await eventually('the closed review', async () => reviewTabs().length === 0);
    assert.equal(await textOf(uri), ORIGINAL);
    await propose(ORIGINAL.replace('two = 2', 'two = 22'));
    await vscode.commands.executeCommand('modelAccess.acceptAllChanges');
    assert.equal(await textOf(uri), ORIGINAL.replace('two = 2', 'two = 22'));
  });
});
