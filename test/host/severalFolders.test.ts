import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { isDeepStrictEqual, promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { dayOf } from '../../src/display/day.ts';
import { CommandProcesses } from '../../src/editor/agent/commandProcesses.ts';
import { CommandTerminals } from '../../src/editor/agent/commandTerminals.ts';
import { runCommandTool } from '../../src/editor/agent/tools/runCommandTool.ts';
import { attachFile } from '../../src/editor/chat/context/attachedDocuments.ts';
import { attachFolder } from '../../src/editor/chat/context/folder.ts';
import { attachGitDiff } from '../../src/editor/chat/context/gitDiff.ts';
import { Guard } from '../../src/editor/chat/guard/guard.ts';
import { codePrompt } from '../../src/editor/codeCommands/codePrompts.ts';
import { CommitMessage } from '../../src/editor/codeCommands/commitMessage.ts';
import { repositoryInUse } from '../../src/editor/git/gitApi.ts';
import { windowBranch, workBranch } from '../../src/editor/git/workBranch.ts';
import { askModel } from '../../src/editor/inlineSuggestions/suggestionSource.ts';
import type { Services } from '../../src/editor/services.ts';
import { copyBranchCost } from '../../src/editor/usage/usageExport.ts';
import type { LedgerEntry } from '../../src/ledger/ledgerEntry.ts';
import type { ChatHostMessage } from '../../src/pages/chat/protocol.ts';
import { eventually } from '../support/eventually.ts';
import { ScriptedService } from '../support/scriptedService.ts';
import { EXTENSION_ID, inSandbox } from './extension.ts';
import { variablesOnce } from './terminalVariables.ts';

/** Opens the folders `web` and `api` on the disk, both with Git, and `notes`, which is virtual. */
describe('in a multi-root workspace with a virtual folder,', () => {
  let services: Services;
  let web: vscode.Uri;
  let api: vscode.Uri;
  let notes: vscode.Uri;
  let usual: readonly vscode.WorkspaceFolder[];

  before(async function () {
    const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
    // A window with one folder, such as the desktop editor's, would start its extensions again for several.
    if (workspaceFile === undefined) this.skip();
    services = await inSandbox();
    const several = vscode.Uri.joinPath(workspaceFile, '..', 'several');
    [web, api, notes] = [at(several, 'web'), at(several, 'api'), vscode.Uri.parse('memory:/notes')];
    usual = workspaceFolders;
    await openFolders(web, api, notes);
  });
  after(() => usual && openFolders(...usual.map(({ uri }) => uri)));
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  /** Shows a file of a repository with a remote, and waits until the editor has read its branch. */
  async function showFileOfApi(): Promise<void> {
    await vscode.window.showTextDocument(at(api, 'src/page.ts'));
    await refreshGit(api);
    await eventually('the branch and the remote', async () =>
      isDeepStrictEqual(workBranch(services.settings), API_BRANCH),
    );
  }

  /** Changes what is checked out in a folder while a test runs. */
  async function checkedOut(folder: vscode.Uri, args: readonly string[], test: () => Promise<void>): Promise<void> {
    const checkOut = async (...what: readonly string[]) => {
      await run('git', ['-c', 'advice.detachedHead=false', 'checkout', '-q', ...what], { cwd: folder.fsPath });
      await refreshGit(folder);
    };
    await checkOut(...args);
    try {
      await test();
    } finally {
      await checkOut('-');
    }
  }

  const textOf = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();

  it('the path of an attachment starts with its folder', async () => {
    const guard = new Guard();
    const pathOf = async (uri: vscode.Uri) => (await attachFile(await guard.check(uri))).path;
    assert.equal(await pathOf(at(api, 'src/server.ts')), 'api/src/server.ts');
    assert.equal(await pathOf(at(notes, 'todo.ts')), 'notes/todo.ts');
    const folder = await attachFolder(await guard.check(notes), guard);
    assert.ok(folder);
    assert.match(folder.text, /^lists\/fruit\.md\ntodo\.ts\n/);
    assert.match(folder.text, /apples/);
  });

  it('each folder applies its own ignore rules', async () => {
    const reasonOf = async (folder: vscode.Uri) => (await new Guard().check(at(folder, 'server.log'))).finding?.reason;
    assert.match((await reasonOf(web)) ?? '', /\.gitignore/);
    assert.equal(await reasonOf(api), undefined);
    assert.equal(await reasonOf(notes), undefined);
  });

  it('a folder applies the ignore rules of the repository around it, unless they ignore the whole folder', async () => {
    const inner = at(web, 'src');
    const reason = async (name: string) => (await new Guard().check(at(inner, name))).finding?.reason;
    const rules = Buffer.from(await textOf(at(web, '.gitignore')));
    await openFolders(inner, web, api, notes);
    try {
      assert.match((await reason('server.log')) ?? '', /\.gitignore/);
      assert.equal(await reason('page.ts'), undefined);
      await vscode.workspace.fs.writeFile(at(web, '.gitignore'), Buffer.from('*\n'));
      assert.equal(await reason('server.log'), undefined);
    } finally {
      await vscode.workspace.fs.writeFile(at(web, '.gitignore'), rules);
      await openFolders(web, api, notes);
    }
  });

  it('prompts come from every folder, and a command uses the prompt from the folder of its code', async () => {
    const { promptLibrary } = services;
    const names = (await promptLibrary.read()).map(({ prompt }) => prompt.name);
    assert.ok(names.includes('of-web') && names.includes('of-api'), names.join());
    const explain = (folder: vscode.Uri, path: string) =>
      codePrompt(promptLibrary, 'explain', 'code', at(folder, path));
    assert.match(await explain(web, 'src/page.ts'), /as web does/);
    assert.match(await explain(api, 'src/server.ts'), /as api does/);
    assert.match(await explain(notes, 'todo.ts'), /as web does/);
  });

  it('a path in an answer resolves to the folder that it names, else to the first that contains it', async () => {
    const find = async (path: string) => (await services.files.find(path))?.toString();
    assert.equal(await find('api/src/page.ts'), at(api, 'src/page.ts').toString());
    assert.equal(await find('src/page.ts'), at(web, 'src/page.ts').toString());
    assert.equal(await find('src/server.ts'), at(api, 'src/server.ts').toString());
    assert.equal(await find(at(api, 'src/page.ts').fsPath), at(api, 'src/page.ts').toString());
    assert.equal(await find('notes/todo.ts'), at(notes, 'todo.ts').toString());
    // The editor's search learns of new folders a moment later.
    await eventually('the search', async () => (await find('server.ts')) !== undefined);
    assert.equal(await find('server.ts'), at(api, 'src/server.ts').toString());
    assert.equal(await find('../web/src/page.ts'), undefined);
  });

  it('the @ list contains what can be searched and reports a virtual folder that cannot be searched', async () => {
    const posted: ChatHostMessage[] = [];
    const subscription = services.session.panel.onDidPost((message) => posted.push(message));
    try {
      await (await services.chatContext.get()).receive({ type: 'listContext', query: 'server.ts' });
    } finally {
      subscription.dispose();
    }
    const list = posted.find((message) => message.type === 'context');
    assert.deepEqual(list?.unsearched, ['notes']);
    const labels = list.choices.map(({ label }) => label);
    assert.equal(labels[0], 'server.ts');
    assert.deepEqual(labels.slice(-2), ['Files…', 'Folder…']);
  });

  for (const [name, path] of [
    ['a folder on the disk', 'api/src/server.ts'],
    ['a virtual folder', 'notes/todo.ts'],
  ] as const) {
    it(`code from an answer is applied to a file in ${name}`, async () => {
      const uri = await services.files.find(path);
      assert.ok(uri);
      const code = `${(await textOf(uri)).trimEnd()}\n\nexport const more = 2;\n`;
      const actions = await services.apply.get();
      await actions.apply(services.session.chat, code, [path]);
      await vscode.commands.executeCommand('modelAccess.acceptAllChanges');
      await eventually('the applied code', async () => (await textOf(uri)).includes('more = 2'));
    });
  }

  /** Accepts the first choice, which creates the file, and returns the document that opens. */
  async function madeFrom(code: string, path: string): Promise<vscode.TextDocument> {
    const actions = await services.apply.get();
    const applied = actions.apply(services.session.chat, code, [path]);
    const active = () => vscode.window.activeTextEditor?.document;
    await eventually('the new file', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return active()?.getText() === code;
    });
    await applied;
    return active() ?? assert.fail('No editor is open.');
  }

  it('a command runs in the folder that it names, and says where', async () => {
    const terminals = new CommandTerminals({ ownVariables: [], log: services.log });
    const resultOf = async (args: object) => {
      const commands = new CommandProcesses(terminals, () => undefined).of({ chat: '', run: '' });
      const { run } = await runCommandTool(commands).prepare({ command: 'pwd', ...args });
      const { signal } = new AbortController();
      return (
        await run({
          place: { step: '', call: '' },
          signal,
          report: () => undefined,
          ask: () => Promise.reject(new Error('It asked.')),
        })
      ).text;
    };
    try {
      assert.equal(await resultOf({}), `Exit code 0.\n${web.fsPath}`);
      assert.equal(await resultOf({ folder: 'api' }), `Exit code 0. It ran in ${api.fsPath}.\n${api.fsPath}`);
      await assert.rejects(resultOf({ folder: 'notes' }), /Commands cannot run in notes/);
      await assert.rejects(resultOf({ folder: 'gone' }), /There is no folder gone\. The folders are: web, api, notes/);
    } finally {
      terminals.dispose();
    }
  });

  it('a new file from an answer opens unsaved in the folder that its path names', async () => {
    const document = await madeFrom('export const fresh = 3;\n', 'api/src/fresh.ts');
    assert.equal(document.uri.path, at(api, 'src/fresh.ts').path);
    assert.deepEqual([document.isUntitled, document.isDirty], [true, true]);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('a new file from an answer is written immediately in a virtual folder', async () => {
    const code = 'export const fresh = 3;\n';
    const document = await madeFrom(code, 'notes/fresh.ts');
    assert.equal(document.uri.toString(), at(notes, 'fresh.ts').toString());
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(document.uri)).toString(), code);
    await vscode.workspace.fs.delete(document.uri);
  });

  it('Git changes come from the repository of the open file', async () => {
    await eventually('both repositories', async () => {
      const found = await Promise.all([web, api].map((root) => repositoryInUse(root).catch(() => undefined)));
      return found.every((repository, index) => repository?.rootUri.path === [web, api][index]?.path);
    });
    for (const [folder, file, change] of [
      [web, 'src/page.ts', 'changed in web'],
      [api, 'src/page.ts', 'changed in api'],
    ] as const) {
      await vscode.window.showTextDocument(at(folder, file));
      const { text = '', path } = (await attachGitDiff(false)) ?? {};
      assert.ok(text.includes(change), text);
      assert.equal(path, `unstaged, in ${folder.path.split('/').at(-1)}`);
    }
  });

  it('Git changes include new files, without the contents of those that usually have keys', async () => {
    const write = (path: string, text: string) => vscode.workspace.fs.writeFile(at(api, path), Buffer.from(text));
    await write('src/fresh.ts', 'export const fresh = 1;\n');
    await write('.env', 'PASSWORD=hunter2\n');
    await vscode.window.showTextDocument(at(api, 'src/page.ts'));
    try {
      await refreshGit(api);
      const { text = '' } = (await attachGitDiff(false)) ?? {};
      assert.match(text, /changed in api/);
      const added = '--- /dev/null\n+++ b/src/fresh.ts\n@@ -0,0 +1,1 @@\n+export const fresh = 1;\n';
      assert.ok(text.includes(`diff --git a/src/fresh.ts b/src/fresh.ts\nnew file mode 100644\n${added}`), text);
      assert.ok(text.includes('b/.env\nnew file mode 100644\n[The content is not shown.]\n'), text);
      assert.doesNotMatch(text, /hunter2/);
    } finally {
      for (const path of ['src/fresh.ts', '.env']) await vscode.workspace.fs.delete(at(api, path));
    }
  });

  it('a commit message is not asked for while a merge has conflicts', async () => {
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: api.fsPath });
    const write = (text: string) => vscode.workspace.fs.writeFile(at(api, 'both.txt'), Buffer.from(text));
    const commit = async (text: string) => {
      await write(text);
      await git('add', 'both.txt');
      await git('commit', '-q', '-m', text);
    };
    const { stdout: branch } = await git('branch', '--show-current');
    await commit('base');
    await git('checkout', '-q', '-b', 'theirs');
    await commit('theirs');
    await git('checkout', '-q', branch.trim());
    await commit('ours');
    await git('merge', 'theirs').catch(() => undefined);
    await vscode.window.showTextDocument(at(api, 'src/page.ts'));
    try {
      await refreshGit(api);
      await assert.rejects(new CommitMessage(services).write(undefined), /Resolve the conflicts.*both\.txt$/);
    } finally {
      await git('merge', '--abort');
      await refreshGit(api);
    }
  });

  it('requests are recorded with the repository and branch of the open file, or else of the first folder', async () => {
    const { worker, ledger } = services;
    const branches = async () => {
      const today = dayOf(Date.now());
      const question = { ledger, period: { first: today, last: today }, ofSandbox: true };
      const { byBranch } = await worker.rpc.readLedger('usageSessions', question);
      return byBranch.map(({ repository, branch, exchanges }) => ({ repository, branch, exchanges }));
    };
    const ask = async () => {
      const before = await branches();
      await services.session.startNew();
      await services.session.chat.turns.send('echo: recorded');
      return (await branches()).filter((row) => !before.some((each) => isDeepStrictEqual(each, row)));
    };
    await services.models.refresh();
    await services.session.parameters.chooseModel('familya-haiku-4.5');
    try {
      await showFileOfApi();
      assert.deepEqual(await ask(), [{ ...API_BRANCH, exchanges: 1 }]);

      await vscode.commands.executeCommand('modelAccess.copyBranchCost');
      const [sentence, trailer] = (await vscode.env.clipboard.readText()).split('\n');
      assert.match(sentence ?? '', /^feature\/totals: sample .*\$0\.\d+ for 1 request with \d+ tokens since /);
      assert.match(trailer ?? '', /^Model-Cost: sample .*\$0\.\d+$/);

      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      const [ofFirst] = await ask();
      assert.equal(ofFirst?.repository, 'web');

      await recordBranch(false);
      assert.deepEqual(await ask(), []);
    } finally {
      await recordBranch(undefined);
      await services.settings.set('chat.model', '');
    }
  });

  it('requests of terminals are recorded with the branch that their window is on by then', async () => {
    const { settings, ledger, presence, gateway, localKeys } = services;
    const { extensionUri } = vscode.extensions.getExtension(EXTENSION_ID) ?? assert.fail();
    const other = new Worker(vscode.Uri.joinPath(extensionUri, 'dist', 'gatewayWorker.js').fsPath);
    const branches = async () => {
      const today = dayOf(Date.now());
      const question = { ledger, period: { first: today, last: today }, ofSandbox: true };
      const { byBranch } = await services.worker.rpc.readLedger('usageSessions', question);
      return byBranch.map(({ branch }) => branch);
    };
    const { stdout: usualBranch } = await run('git', ['branch', '--show-current'], { cwd: api.fsPath });
    const body = JSON.stringify({
      model: 'familya-haiku-4.5',
      max_tokens: 9,
      messages: [{ role: 'user', content: 'hi' }],
    });
    try {
      await openFolders(api);
      await settings.set('terminals.useGateway', true);
      other.postMessage({
        type: 'listen',
        port: 0,
        localKeys: (await localKeys.read()).keys,
        upstream: { kind: 'sandbox' },
        ledger,
        recordRepositories: true,
        shared: presence.files,
      });
      await eventually('the other window’s gateway', async () => {
        return gateway.state.state === 'running' && gateway.state.owner === 'other';
      });
      const given = await variablesOnce(({ ANTHROPIC_BASE_URL = '' }) => ANTHROPIC_BASE_URL.includes('/window/'));
      const headers = { authorization: `Bearer ${given.ANTHROPIC_AUTH_TOKEN}`, 'content-type': 'application/json' };
      for (const branch of ['from/a-terminal', 'from/the-same-terminal']) {
        await run('git', ['checkout', '-q', '-b', branch], { cwd: api.fsPath });
        await refreshGit(api);
        await eventually(`a request on ${branch}`, async () => {
          const { status } = await fetch(`${given.ANTHROPIC_BASE_URL}/v1/messages`, { method: 'POST', headers, body });
          assert.equal(status, 200);
          return (await branches()).includes(branch);
        });
      }
    } finally {
      await settings.set('terminals.useGateway', false);
      await gateway.stop();
      await other.terminate();
      await run('git', ['checkout', '-q', usualBranch.trim()], { cwd: api.fsPath });
      await refreshGit(api);
      await eventually('the branch of before', async () => windowBranch()?.branch === usualBranch.trim());
      await openFolders(web, api, notes);
    }
  });

  it('an inline suggestion of an upstream is recorded with the branch, too', async () => {
    const server = await ScriptedService.start((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ choices: [{ text: '2;', finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`);
    });
    const recorded: LedgerEntry[] = [];
    const subscription = services.calls.onDidRecord((entry) => recorded.push(entry));
    try {
      await showFileOfApi();
      const settings = { formats: [], models: [], fillIn: 'suffix' as const };
      const upstream = { id: 'local', baseUrl: `${server.origin}/v1`, ...settings };
      const place = { path: 'src/page.ts', languageId: 'typescript', before: 'const two = ', after: '' };
      const model = { kind: 'fillIn', id: 'coder', upstream } as const;
      const parts = askModel(services, model, { place, related: [] }, new AbortController().signal);
      assert.equal((await Array.fromAsync(parts)).map(({ text }) => text).join(''), '2;');
    } finally {
      subscription.dispose();
      await server.close();
    }
    const [{ source, repository, branch } = {}] = recorded;
    assert.deepEqual({ source, repository, branch }, { source: 'inlineSuggestion', ...API_BRANCH });
  });

  it('a checked-out commit is recorded by its short name', async () => {
    await checkedOut(web, ['--detach'], async () => {
      const { stdout } = await run('git', ['rev-parse', 'HEAD'], { cwd: web.fsPath });
      await vscode.window.showTextDocument(at(web, 'src/page.ts'));
      const expected = { repository: 'web', branch: stdout.slice(0, 7) };
      await eventually('the commit', async () => isDeepStrictEqual(workBranch(services.settings), expected));
    });
  });

  it('the cost of a branch without a repository or without requests is refused with the reason', async () => {
    const { worker, ledger, connection, settings } = services;
    const copy = () => copyBranchCost({ worker, ledger, connection, settings });
    await checkedOut(api, ['-b', 'unused'], async () => {
      await vscode.window.showTextDocument(at(api, 'src/page.ts'));
      await eventually('the branch', async () => workBranch(settings)?.branch === 'unused');
      await assert.rejects(copy(), /No requests of unused were recorded\.$/);
    });
    await vscode.window.showTextDocument(at(notes, 'todo.ts'));
    await assert.rejects(copy(), /not in a Git repository/);
  });

  it('the language model tool counts files in every folder', async () => {
    const count = async (path: string): Promise<unknown> => {
      const { content } = await vscode.lm.invokeTool('count_tokens', {
        input: { path },
        toolInvocationToken: undefined,
      });
      const [part] = content;
      assert.ok(part instanceof vscode.LanguageModelTextPart);
      return JSON.parse(part.value).tokens;
    };
    for (const path of ['web/src/page.ts', 'api/src/server.ts', 'notes/todo.ts'])
      assert.ok(Number(await count(path)) > 1);
    await assert.rejects(count('other/todo.ts'), /not a file in the workspace/);
  });
});

const run = promisify(execFile);

/** Lets the editor read a repository. By itself, it does so at most every five seconds. */
async function refreshGit(folder: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('git.refresh', folder);
}

const API_BRANCH = { repository: 'orchard/api', branch: 'feature/totals' };

async function recordBranch(value: boolean | undefined): Promise<void> {
  const section = vscode.workspace.getConfiguration('modelAccess.usage');
  await section.update('recordBranch', value, vscode.ConfigurationTarget.Global);
}

const at = (folder: vscode.Uri, path: string) => vscode.Uri.joinPath(folder, path);

/** Replaces all folders of the workspace. The editor refuses another change until it has reported this one. */
async function openFolders(...uris: readonly vscode.Uri[]): Promise<void> {
  const before = vscode.workspace.workspaceFolders?.length;
  const changed = new Promise<void>((resolve) => {
    const subscription = vscode.workspace.onDidChangeWorkspaceFolders(() => {
      subscription.dispose();
      resolve();
    });
  });
  assert.ok(vscode.workspace.updateWorkspaceFolders(0, before, ...uris.map((uri) => ({ uri }))));
  await changed;
  const areOpen = () => uris.every((uri, index) => vscode.workspace.workspaceFolders?.[index]?.uri.path === uri.path);
  await eventually('the folders', async () => areOpen() && vscode.workspace.workspaceFolders?.length === uris.length);
}
