import assert from 'node:assert/strict';
import { type KnownApprovals, TerminalCode } from '../../../../../src/editor/chat/reading/terminalCode.ts';
import { Lazy } from '../../../../../src/editor/lazy.ts';
import { commands, EventEmitter, env, window, workspace } from '../../../../support/editorApi/vscode.ts';

/** A terminal, and what it gets. */
function terminal(name: string, options: object = {}) {
  const typed: string[] = [];
  return {
    name,
    typed,
    creationOptions: options,
    exitStatus: undefined,
    show: () => typed.push('show'),
    sendText: (text: string, runs = true) => typed.push(`${runs ? 'run' : 'type'} ${text}`),
  };
}

describe('commands of an answer in the terminal', () => {
  const original = { ...window };
  const before = { commands: { ...commands }, clipboard: { ...env.clipboard } };
  const started = new EventEmitter<{ readonly terminal: object }>();
  const ended = new EventEmitter<{ readonly terminal: object }>();
  let asked: string[];
  let answer: string | undefined;
  let allowed: ReadonlySet<string>;
  let created: ReturnType<typeof terminal>[];
  let code: TerminalCode;

  beforeEach(() => {
    [asked, answer, allowed, created] = [[], undefined, new Set(), []];
    Object.assign(window, {
      activeTerminal: undefined,
      onDidStartTerminalShellExecution: started.event,
      onDidEndTerminalShellExecution: ended.event,
      createTerminal: () => {
        const one = terminal('new');
        created.push(one);
        return one;
      },
      answer: async (message: string, [options]: readonly { readonly detail: string }[]) => {
        asked.push(`${message}\n${options?.detail}`);
        return answer;
      },
    });
    const approvals: KnownApprovals = {
      verdictOn: ({ subject }) => ({ type: allowed.has(subject) ? 'allowed' : 'ask' }),
    };
    code = new TerminalCode(new Lazy(async () => approvals));
  });
  afterEach(() => {
    code.dispose();
    for (const name of Object.keys(window)) if (!(name in original)) Reflect.deleteProperty(window, name);
    Object.assign(window, original);
    Object.assign(workspace, { isTrusted: true });
    Object.assign(commands, before.commands);
    Object.assign(env, { clipboard: before.clipboard });
  });

  it('run at once if the agent may run them', async () => {
    allowed = new Set(['npm test']);
    await code.run('# Test\nnpm test\n', 'c');
    assert.deepEqual([asked, created[0]?.typed], [[], ['show', 'run npm test']]);
  });

  it('are asked about otherwise, and are not run without an answer', async () => {
    await code.run('npm test', 'c');
    assert.deepEqual([asked, created], [['Run this in the terminal?\nnpm test'], []]);
    answer = 'Run in Terminal';
    await code.run('npm test', 'c');
    assert.deepEqual(created[0]?.typed, ['show', 'run npm test']);
  });

  it('are always asked about in a folder that is not trusted, and if they delete something outside', async () => {
    allowed = new Set(['npm test', 'rm -rf ../other']);
    Object.assign(workspace, { isTrusted: false });
    await code.run('npm test', 'c');
    Object.assign(workspace, { isTrusted: true });
    await code.run('rm -rf ../other', 'c');
    assert.equal(asked.length, 2);
    assert.match(asked[1] ?? '', /It deletes \.\.\/other, which is outside the folder\./);
    assert.equal(created.length, 0);
  });

  it('never contain what cannot be seen', async () => {
    await assert.rejects(code.run('npm\u202E test', 'c'), /U\+202E/);
    await assert.rejects(code.insert('npm\u001B test'), /U\+001B/);
    assert.equal(created.length, 0);
  });

  it('are typed in the terminal in use, unless a command runs in it or it belongs to an extension', async () => {
    const active = terminal('active');
    Object.assign(window, { activeTerminal: active });
    await code.insert('npm test');
    assert.deepEqual(active.typed, ['show', 'type npm test']);
    started.fire({ terminal: active });
    await code.insert('npm test');
    assert.equal(created.length, 1);
    ended.fire({ terminal: active });
    await code.insert('npm test');
    assert.equal(created.length, 1);
    Object.assign(window, { activeTerminal: terminal('agent', { pty: {} }) });
    await code.insert('npm test');
    assert.equal(created.length, 2);
  });

  it('are pasted if they have several lines, which would run otherwise, and the clipboard gets its text back', async () => {
    let clipboard = 'earlier';
    const pasted: string[] = [];
    Object.assign(env, {
      clipboard: {
        readText: async () => clipboard,
        writeText: async (text: string) => {
          clipboard = text;
        },
      },
    });
    Object.assign(commands, { executeCommand: async (name: string) => pasted.push(`${name} ${clipboard}`) });
    await code.insert('npm ci\nnpm test');
    assert.deepEqual(pasted, ['workbench.action.terminal.paste npm ci\nnpm test']);
    assert.deepEqual([clipboard, created[0]?.typed], ['earlier', ['show']]);
  });
});
