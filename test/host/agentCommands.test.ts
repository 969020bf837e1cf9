import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToolOutcome } from '../../src/agent/tools/tool.ts';
import { CommandEnvironments } from '../../src/editor/agent/commandEnvironment.ts';
import { CommandProcesses } from '../../src/editor/agent/commandProcesses.ts';
import { CommandTerminals } from '../../src/editor/agent/commandTerminals.ts';
import { checkCommandTool } from '../../src/editor/agent/tools/checkCommandTool.ts';
import { runCommandTool } from '../../src/editor/agent/tools/runCommandTool.ts';
import type { Services } from '../../src/editor/services.ts';
import { eventually } from '../support/eventually.ts';
import { activated } from './extension.ts';

const RUN = { chat: 'chat', run: 'run' };
/** A server that says when it is ready, on a port that the system chooses. */
const SERVER = `node -e "require('http').createServer((_, r) => r.end('hello')).listen(0, function () { console.log('ready on ' + this.address().port) })"`;

describe('a command of the agent', () => {
  let services: Services;
  let terminals: CommandTerminals;
  let processes: CommandProcesses;

  before(async () => {
    services = await activated();
  });
  afterEach(() => {
    processes.dispose();
    terminals.dispose();
  });

  async function run(args: object, ownVariables: readonly string[] = []): Promise<ToolOutcome> {
    open(ownVariables);
    return call('run_command', args);
  }

  function open(ownVariables: readonly string[] = []): void {
    terminals = new CommandTerminals({ ownVariables: ownVariables.map((name) => [name]), log: services.log });
    processes = new CommandProcesses(terminals, () => undefined);
  }

  async function call(name: 'run_command' | 'check_command', args: object): Promise<ToolOutcome> {
    const toolOf = name === 'run_command' ? runCommandTool : checkCommandTool;
    const { signal } = new AbortController();
    const { run: runCall } = await toolOf(processes.of(RUN)).prepare(args);
    return runCall({
      place: { step: '', call: '' },
      signal,
      report: () => undefined,
      ask: () => Promise.reject(new Error('It asked.')),
    });
  }

  const shown = () => processes.viewOf(RUN.chat);

  it('has the variables that other extensions set in terminals', async () => {
    // The editor's Git extension sets them.
    const { text } = await run({ command: 'test -n "$GIT_ASKPASS" && test -n "$VSCODE_GIT_IPC_HANDLE" && echo both' });
    assert.equal(text, 'Exit code 0.\nboth');
  });

  it('does not have those that this extension sets there, and no trace of how they were read', async () => {
    const command = 'env | grep -e VSCODE_GIT_IPC_HANDLE -e ELECTRON_RUN_AS_NODE';
    const { text } = await run({ command }, ['VSCODE_GIT_IPC_HANDLE']);
    assert.equal(text, 'Exit code 1.\n(no output)');
  });

  it('runs without them, and says so, if the editor does not give them', async () => {
    const environments = new CommandEnvironments({ ownVariables: [], log: services.log }, 0);
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const { variables, isComplete } = await environments.of(folder?.uri ?? assert.fail('No folder is open.'));
    assert.equal(isComplete, false);
    assert.equal(variables.PATH, process.env.PATH);
    assert.equal(variables.GIT_PAGER, 'cat');
  });

  it('reads the variables once for all commands of a run', async () => {
    let opened = 0;
    const subscription = vscode.window.onDidOpenTerminal(({ creationOptions }) => {
      if ('shellPath' in creationOptions && creationOptions.hideFromUser === true) opened += 1;
    });
    try {
      open();
      const environments = terminals.newEnvironments();
      const [folder] = vscode.workspace.workspaceFolders ?? [];
      const uri = folder?.uri ?? assert.fail('No folder is open.');
      const [first, second] = await Promise.all([environments.of(uri), environments.of(uri)]);
      assert.equal(first, second);
      assert.equal(opened, 1);
    } finally {
      subscription.dispose();
    }
  });

  it('that does not end is stopped at its limit, with how to run a server', async () => {
    const { text, action } = await run({ command: 'echo listening; sleep 600', timeout_seconds: 1 });
    assert.match(text, /^The command had not ended after 1 seconds, its time limit, and was stopped\. Run a server /);
    assert.match(text, /with background\. .*\nlistening$/);
    assert.equal(action?.note, 'It was stopped at its time limit.');
  });

  it('that opens an editor is stopped at once, and the model and the user are told', async () => {
    const { text, action } = await run({ command: "printf '\\033[?1049hedit'; sleep 600" });
    assert.match(
      text,
      /^The command opened a program that fills a screen, .*: run a command that prints its result\.\nedit$/,
    );
    assert.equal(action?.note, 'It opened a program that fills a screen, and was stopped.');
  });

  it('that asks a question ends at once, and the model and the user are told', async () => {
    const { text, action } = await run({ command: 'printf "Continue? [y/N] "; read -r answer && test "$answer" = y' });
    assert.match(text, /^Exit code 1\. It asked a question, but has no input\..*\nContinue\? \[y\/N\]$/);
    assert.equal(action?.note, 'It asked a question, and cannot read an answer.');
  });

  describe('in the background', () => {
    it('is read, waited for, and stopped by the model', async () => {
      const started = await run({ command: SERVER, background: true });
      assert.match(started.text, /^The command goes on in the background as c1, /);
      assert.equal(started.action?.note, 'In the background');
      const ready = started.text.includes('ready on')
        ? started
        : await call('check_command', { wait_for_text: 'ready on' });
      const port = Number(/ready on (\d+)/.exec(ready.text)?.[1]);
      const open = await call('check_command', { wait_for_port: port });
      assert.match(
        open.text,
        new RegExp(`^Port ${port} accepts connections\\. c1 has run for \\d+ seconds, and goes on\\.`),
      );
      assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'hello');
      assert.deepEqual(
        shown().map(({ isRunning, output }) => [isRunning, output]),
        [[true, `ready on ${port}`]],
      );
      const { text, action } = await call('check_command', { id: 'c1', stop: true });
      assert.deepEqual([text, action?.note], ['c1 was stopped.\n(nothing new)', 'Stopped']);
      await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
    });

    it('that ends at once is reported with its exit code', async () => {
      const { text } = await run({ command: 'echo "port in use" >&2; exit 3', background: true });
      assert.equal(text, 'Exit code 3.\nport in use');
    });

    it('may print more than the model reads at once', async () => {
      const { text } = await run({ command: 'yes hello | head -c 400000; sleep 600', background: true });
      assert.match(text, /goes on in the background.*characters are omitted here/s);
      assert.ok(text.length < 20_000, `${text.length} characters`);
    });

    it('ends with its run unless it is kept', async () => {
      open();
      for (const command of ['sleep 600; echo one', 'sleep 600; echo two']) {
        await call('run_command', { command, background: true });
      }
      processes.act('c2', 'keep');
      processes.endOf(RUN);
      assert.deepEqual(
        shown().map(({ command, isRunning, isKept }) => [command, isRunning, isKept]),
        [['sleep 600; echo two', true, true]],
      );
      processes.act('c2', 'stop');
      await eventually('its end', async () => shown()[0]?.isRunning === false);
      processes.endOf({ ...RUN, run: 'the next one' });
      assert.deepEqual(shown(), []);
    });

    it('is what a command has left there, and ends with the run as well', async () => {
      const { text } = await run({ command: 'sleep 600 > /dev/null 2>&1 & echo $!' });
      const pid = Number(/\n(\d+)$/.exec(text)?.[1]);
      assert.match(text, /^Exit code 0\. What it started in the background goes on /);
      assert.equal(shown().length, 1);
      processes.endOf(RUN);
      await eventually('its end', async () => !isRunning(pid));
    });

    it('that waits for an answer is told to the model and the user at once', async () => {
      const command = 'printf "Overwrite? [y/N] "; read -r answer; echo "<$answer>"';
      const { text, action } = await run({ command, background: true });
      const asked = text.startsWith('The command seems')
        ? text
        : (await call('check_command', { timeout_seconds: 60 })).text;
      assert.match(asked, /^The command seems to wait for an answer, which only the user can type in its terminal\. /);
      assert.ok(action);
      assert.equal(shown()[0]?.question, 'Overwrite? [y/N]');
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
