import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { inSandbox } from './extension.ts';

const ORIGINAL = 'export const one = 1;\n\nexport const two = 2;\n\nexport const three = 3;\n';
/** The file with two changes. */
const CODE = '/** The first. */\nexport const one = 1;\n\nexport const two = 2;\n\nexport const three = 33;\n';

describe('a review of proposed changes in the extension host', () => {
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
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  after(() => vscode.workspace.fs.delete(folder, { recursive: true }));

  /** Proposes new code for the whole file. */
  async function propose(code: string): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const range = document.validateRange(new vscode.Range(0, 0, Number.MAX_SAFE_INTEGER, 0));
    const apply = await services.apply.get();
    await apply.propose({ uri, range, text: document.getText(range) }, code);
  }

  const textOf = async (target: vscode.Uri) => (await vscode.workspace.openTextDocument(target)).getText();
  const accept = () => vscode.commands.executeCommand('modelAccess.takeAllChanges');

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

  it('writes nothing until every change is decided, and applies only accepted changes', async () => {
    await propose(CODE);
    assert.equal(await textOf(uri), ORIGINAL);
    await vscode.commands.executeCommand('modelAccess.takeChange');
    assert.equal(await textOf(uri), ORIGINAL);
    await vscode.commands.executeCommand('modelAccess.leaveOutChange');
    assert.equal(await textOf(uri), `/** The first. */\n${ORIGINAL}`);
  });

  it('offers Undo in the chat once after writing', async () => {
    await propose(CODE);
    const offered = nextNotice();
    await accept();
    const notice = await offered;
    assert.match(notice.text, /^2 of 2 changes applied to review\d+\.ts$/);
    assert.equal(await textOf(uri), CODE);
    await services.session.undo.undo(notice.id);
    assert.equal(await textOf(uri), ORIGINAL);
  });

  it('does not undo changes in a file that was edited since', async () => {
    await propose(CODE);
    const offered = nextNotice();
    await accept();
    const notice = await offered;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(uri, new vscode.Position(0, 0), '// mine\n');
    await vscode.workspace.applyEdit(edit);
    await assert.rejects(services.session.undo.undo(notice.id), /has been edited since/);
    assert.equal(await textOf(uri), `// mine\n${CODE}`);
  });

  it('continues with a renamed file', async () => {
    await propose(CODE);
    await vscode.commands.executeCommand('modelAccess.takeChange');
    const renamed = vscode.Uri.joinPath(folder, `renamed${count}.ts`);
    const shown = new Promise<void>((resolve) => {
      const subscription = vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
        if (!opened.some(({ label }) => label.startsWith(`renamed${count}.ts`))) return;
        subscription.dispose();
        resolve();
      });
    });
    const edit = new vscode.WorkspaceEdit();
    edit.renameFile(uri, renamed);
    assert.ok(await vscode.workspace.applyEdit(edit));
    await shown;
    await accept();
    assert.equal(await textOf(renamed), CODE);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(uri)), /./);
  });

  it('does not recreate a deleted file', async () => {
    await propose(CODE);
    await vscode.workspace.fs.delete(uri);
    const apply = await services.apply.get();
    await assert.rejects(apply.reviews.decideRest('accepted'), /no longer exists\. Nothing was written\./);
    await assert.rejects(Promise.resolve(vscode.workspace.fs.stat(uri)), /./);
    await apply.reviews.decideRest('discarded');
  });
});
