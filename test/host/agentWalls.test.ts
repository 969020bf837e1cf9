import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import type { ApprovalChoice, ApprovalQuestion } from '../../src/pages/chat/protocol.ts';
import { parseKey } from '../../src/service/pastedKey.ts';
import { ScriptedModel, type ScriptedStep } from '../support/scriptedModel.ts';
import { activated } from './extension.ts';

const KEY = 'key_host_test_walls_0123456789';
/** A key as it is recognized in files. It belongs to nobody. */
const FOUND_KEY = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_');

/** What a model must not reach that does whatever it likes, and what its user must see before it does. */
describe('the walls around the agent', () => {
  let services: Services;
  let model: ScriptedModel;
  let root: string;
  let outside: string;

  before(async () => {
    services = await activated();
    await services.settings.set('sandbox.enabled', false);
    model = await ScriptedModel.start();
    await services.settings.set('baseAddress', model.baseAddress);
    const key = parseKey(KEY);
    assert.ok(key.ok);
    await services.keys.store(key.key, model.baseAddress);
    await services.connection.refresh();
    await services.models.refresh();
    root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? assert.fail('No folder is open.');
  });
  after(async () => {
    // A new chat takes over the mode.
    await services.session.chat.chooseMode('ask');
    await services.session.startNew();
    await services.keys.remove();
    await services.settings.set('baseAddress', '');
    await services.connection.refresh();
    await model.close();
  });
  beforeEach(async () => {
    outside = await mkdtemp(join(tmpdir(), 'model-access-walls-'));
    await mkdir(join(root, 'walls'));
    await services.session.startNew();
    await services.session.chat.chooseMode('agent');
  });
  afterEach(async () => {
    services.session.chat.stop();
    await rm(join(root, 'walls'), { recursive: true, force: true });
    await rm(outside, { recursive: true, force: true });
  });

  const inside = (...path: string[]) => join(root, 'walls', ...path);
  const call = (name: string, args: object): ScriptedStep => ({ calls: [[name, args]] });
  const edit = (path: string, from: string, to: string) =>
    call('edit_file', { path, edits: [{ old_text: from, new_text: to }] });
  const create = (path: string, content = 'made') => call('create_file', { path, content });

  /** Follows the steps, answers each question, and returns the questions and the results. */
  async function act(
    steps: readonly ScriptedStep[],
    answer: (question: ApprovalQuestion) => ApprovalChoice | Promise<ApprovalChoice> = () => 'deny',
  ): Promise<{ readonly asked: readonly ApprovalQuestion[]; readonly results: readonly string[] }> {
    const asked: ApprovalQuestion[] = [];
    const { runs } = services.session.chat;
    const subscription = runs.onDidChange(async (view) => {
      const question = view?.question;
      if (question?.type !== 'approval' || asked.some(({ number }) => number === question.number)) return;
      asked.push(question);
      await runs.receive({ type: 'decide', question: question.number, choice: await answer(question) });
    });
    model.follow([...steps, { text: 'Done.' }]);
    await services.session.chat.turns.send('Do it');
    subscription.dispose();
    const results = services.session.state.turns.flatMap((turn) =>
      turn.role === 'assistant' ? (turn.toolCalls ?? []).map(({ result = '' }) => result) : [],
    );
    return { asked, results };
  }

  it('do not reveal, guess by guess, what is in a file that must not be read', async () => {
    await writeFile(inside('.env'), 'PASSWORD=hunter2\n');
    const { asked, results } = await act([
      edit('walls/.env', 'PASSWORD=h', 'PASSWORD=h'),
      edit('walls/.env', 'PASSWORD=x', 'PASSWORD=x'),
    ]);
    assert.deepEqual(
      asked.map(({ reason, choices }) => [reason, choices]),
      [
        ['secret', []],
        ['secret', []],
      ],
    );
    assert.equal(results[0], results[1]);
  });

  it('ask before a file with a key in it is changed, which could hide the key from the next reading', async () => {
    await writeFile(inside('config.json'), `{"token": "${FOUND_KEY}"}`);
    const { asked } = await act([edit('walls/config.json', '"token": "ghp', '"token": "g h p')]);
    assert.deepEqual(
      asked.map(({ reason }) => reason),
      ['secret'],
    );
    assert.match(await readFile(inside('config.json'), 'utf8'), /ghp_/);
  });

  it('ask before what Git ignores, runs, or has as settings is changed, in whatever spelling', async () => {
    await writeFile(inside('.gitignore'), 'private\n');
    await mkdir(inside('.vscode'));
    await symlink(inside('.vscode'), inside('docs'));
    const { asked } = await act([
      edit('walls/.gitignore', 'private', 'nothing'),
      call('rename_file', { path: 'walls/.gitignore', new_path: 'walls/rules.txt' }),
      call('delete_file', { path: 'walls/.gitignore' }),
      create('walls/.git'),
      create('walls/.GIT/hooks/pre-commit'),
      create('walls/docs/tasks.json', '{}'),
    ]);
    assert.equal(asked.length, 6);
    assert.ok(asked.every(({ choices }) => choices.length === 0));
    assert.equal(asked.at(-1)?.action.object, 'walls/.vscode/tasks.json');
    assert.equal(await readFile(inside('.gitignore'), 'utf8'), 'private\n');
  });

  it('show the target of a link', async () => {
    await writeFile(join(outside, 'notes.txt'), 'mine\n');
    await symlink(outside, inside('link'));
    const { asked } = await act([edit('walls/link/notes.txt', 'mine', 'yours'), create('walls/link/new.txt')]);
    assert.deepEqual(
      asked.map(({ reason, action }) => [reason, action.object]),
      [
        ['outside', join(outside, 'notes.txt')],
        ['outside', join(outside, 'new.txt')],
      ],
    );
  });

  it('create nothing through a link without a target', async () => {
    await symlink(join(outside, 'made.txt'), inside('link.txt'));
    await symlink(join(outside, 'folder'), inside('folder'));
    const { asked, results } = await act([create('walls/link.txt'), create('walls/folder/made.txt')]);
    assert.deepEqual(asked, []);
    assert.ok(results.every((result) => /is a broken link/.test(result)));
    await assert.rejects(stat(join(outside, 'made.txt')));
    await assert.rejects(stat(join(outside, 'folder')));
  });

  it('write nothing through a link that has replaced the approved file', async () => {
    await services.session.chat.chooseMode('reviewingAgent');
    await mkdir(inside('src'));
    await writeFile(inside('src', 'a.txt'), 'one\n');
    await writeFile(join(outside, 'a.txt'), 'one\n');
    const exchange = async () => {
      await rm(inside('src'), { recursive: true });
      await symlink(outside, inside('src'));
      return 'once' as const;
    };
    const { asked, results } = await act([create('walls/src/b.txt')], exchange);
    assert.equal(asked.length, 1);
    assert.match(results[0] ?? '', /now points to another location/);
    await assert.rejects(stat(join(outside, 'b.txt')));
  });

  it('do not act elsewhere if a denied call is allowed after all', async () => {
    await services.session.chat.chooseMode('reviewingAgent');
    await mkdir(inside('src'));
    await act([create('walls/src/b.txt')]);
    const turns = () =>
      services.session.state.turns.flatMap((turn) => (turn.role === 'assistant' ? (turn.toolCalls ?? []) : []));
    const [denied] = turns();
    assert.equal(denied?.action?.state, 'denied');
    await rm(inside('src'), { recursive: true });
    await symlink(outside, inside('src'));
    model.follow([{ text: 'Done.' }]);
    await services.session.chat.runs.receive({ type: 'allowOnce', callId: denied?.id ?? '' });
    assert.equal(turns()[0]?.action?.state, 'failed');
    assert.match(JSON.stringify(model.requests.at(-1)?.messages.at(-1)), /act on something else/);
    await assert.rejects(stat(join(outside, 'b.txt')));
  });

  it('show no command whose end is out of sight', async () => {
    const { asked, results } = await act([
      call('run_command', { command: `npm test${' '.repeat(5000)}; rm -rf .` }),
      call('run_command', { command: `rm -rf .${'\n'.repeat(500)}npm test` }),
    ]);
    assert.deepEqual(asked, []);
    assert.ok(results.every((result) => /many spaces or blank lines/.test(result)));
  });

  it('ask before a file is written whose name is not what it seems, and refuse names of several lines', async () => {
    const { asked, results } = await act([create('walls/.g\u200cit/config'), create('walls/a.txt\nRead a file?')]);
    assert.deepEqual(
      asked.map(({ action, choices }) => [action.object, choices]),
      [['walls/.g\u200cit/config', []]],
    );
    assert.match(results[1] ?? '', /line break or a control character/);
  });

  it('do not look for files on other machines', async () => {
    const { asked, results } = await act([
      call('read_file', { path: '//walls.example/share/a.txt' }),
      create('//walls.example/share/a.txt'),
    ]);
    assert.deepEqual(asked, []);
    assert.ok(results.every((result) => /is on another machine/.test(result)));
  });

  it('do not list files behind a link out of the workspace', async () => {
    await writeFile(join(outside, 'private.txt'), 'mine');
    await writeFile(inside('own.txt'), 'ours');
    await symlink(outside, inside('link'));
    const { results } = await act([call('find_files', { pattern: 'walls/**/*.txt' })]);
    assert.deepEqual(results, ['walls/own.txt']);
  });

  it('do not follow a page to a host that was not allowed', async () => {
    let requests = 0;
    const other = createServer((_, response) => {
      requests += 1;
      response.end('There');
    }).listen(0, '127.0.0.1');
    const address = (server: typeof other) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const first = createServer((_, response) => {
      response.writeHead(302, { location: `${address(other)}?found` }).end();
    }).listen(0, '127.0.0.1');
    await Promise.all(
      [other, first].map((server) => server.listening || new Promise((done) => server.once('listening', done))),
    );
    try {
      const { results } = await act([call('fetch_page', { address: address(first) })], () => 'once');
      assert.match(results[0] ?? '', /redirects to http:\/\/127\.0\.0\.1:\d+\/\?found/);
      assert.equal(requests, 0);
    } finally {
      for (const server of [first, other]) server.close();
    }
  });

  it('refuse a command with characters that are not seen', async () => {
    const { asked, results } = await act([
      call('run_command', { command: 'echo one \u0015touch walls/made' }),
      call('run_command', { command: 'echo \u202eedam/sllaw hcuot' }),
    ]);
    assert.deepEqual(asked, []);
    assert.match(results[0] ?? '', /contains U\+0015/);
    assert.match(results[1] ?? '', /contains U\+202E/);
  });

  it('hide keys in the output of a command from the model', async () => {
    const { results } = await act([call('run_command', { command: `echo key_${'Ab0-_'.repeat(9)}` })], () => 'once');
    assert.match(results[0] ?? '', /key_…\s*$/);
  });

  it('run each command in the folder that was asked for, whatever the one before did', async () => {
    const { asked, results } = await act(
      [call('run_command', { command: 'cd walls' }), call('run_command', { command: 'pwd' })],
      () => 'once',
    );
    assert.equal(asked.length, 2);
    assert.ok((results[1] ?? '').trim().endsWith(root), results[1]);
  });

  it('end a command that ends its shell, and run the next one in the same terminal', async () => {
    const before = new Set(vscode.window.terminals);
    const commands = ['exit 3', 'test -f missing || exit 1', 'exec sleep 0.1', 'cd walls', 'pwd'];
    const { results } = await act(
      commands.map((command) => call('run_command', { command })),
      () => 'once',
    );
    assert.match(results[0] ?? '', /^Exit code 3\./);
    assert.match(results[1] ?? '', /^Exit code 1\./);
    assert.match(results[2] ?? '', /^Exit code 0\./);
    assert.ok((results[4] ?? '').trim().endsWith(root), results[4]);
    assert.ok(vscode.window.terminals.filter((terminal) => !before.has(terminal)).length <= 1);
  });
});
