import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { FORMAT_NAMES } from '../../src/formats/conversation.ts';
import type { RunQuestion } from '../../src/pages/chat/protocol.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import { activated } from './extension.ts';

const FILE = 'src/agentSettings.ts';
const SECRET = 'xK2mQ7vR9tW4';
const NEXT = 'nB8cD3fG6hJ1';
const TEXT = `export const password = "${SECRET}";\n`;

describe('the chat agent with sealed secrets', () => {
  const policy = () => vscode.workspace.getConfiguration('modelAccess.secrets');
  let services: Services;
  let connection: ScriptedConnection;
  let file: vscode.Uri;

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
    await policy().update('policy', 'seal', vscode.ConfigurationTarget.Global);
    file = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), FILE);
  });
  after(async () => {
    await policy().update('policy', undefined, vscode.ConfigurationTarget.Global);
    await services.session.chat.chooseMode('ask');
    await connection.close();
  });
  beforeEach(async () => {
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(TEXT));
    await services.session.startNew();
    await services.session.chat.chooseMode('agent');
  });
  afterEach(async () => {
    services.session.chat.stop();
    await vscode.workspace.fs.delete(file);
  });

  /** Waits for the next decision that the run asks for. */
  function question(): Promise<RunQuestion> {
    const { runs } = services.session.chat;
    if (runs.view?.question !== undefined) return Promise.resolve(runs.view.question);
    return new Promise((resolve) => {
      const subscription = runs.onDidChange((view) => {
        if (view?.question === undefined) return;
        subscription.dispose();
        resolve(view.question);
      });
    });
  }

  /** Allows each call up to the first one of a kind, and returns what was asked about it. */
  async function answered(kind: string): Promise<RunQuestion & { readonly type: 'approval' }> {
    for (;;) {
      const asked = await question();
      assert.ok(asked.type === 'approval');
      await services.session.chat.runs.receive({ type: 'decide', question: asked.number, choice: 'once' });
      if (asked.action.kind === kind) return asked;
    }
  }

  for (const format of FORMAT_NAMES) {
    it(`edits a text with one and runs a command with one in ${format} format`, async () => {
      await services.session.parameters.chooseFormat(format);
      const { model } = connection;
      model.follow(({ index, results }) => {
        const standIn = /password = "([^"]+)"/.exec(results[0] ?? '')?.[1] ?? '';
        const edits = [{ old_text: `"${standIn}"`, new_text: `"${NEXT}", before = "${standIn}"` }];
        if (index === 0) return { calls: [['read_file', { path: FILE }]] };
        if (index === 1) return { calls: [['edit_file', { path: FILE, edits }]] };
        if (index === 2) return { calls: [['run_command', { command: `node -p "'${standIn}'.length"` }]] };
        return { text: `It was ${standIn}.` };
      });
      const sent = services.session.chat.turns.send('Change the password');
      const asked = await answered('command');
      assert.deepEqual([asked.action.object, asked.secrets], [`node -p "'${SECRET}'.length"`, 1]);
      await sent;

      const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      assert.equal(text, `export const password = "${NEXT}", before = "${SECRET}";\n`);
      const last = services.session.state.turns.at(-1);
      assert.ok(last?.role === 'assistant');
      assert.equal(last.text, `It was ${SECRET}.`);
      assert.match(JSON.stringify(services.session.state.turns), new RegExp(`Exit code 0[^"]*${SECRET.length}`));
      assert.equal(model.requests.length, 4);
      assert.ok(!JSON.stringify(model.requests).includes(SECRET), 'The service has seen it.');
    });
  }
});
