import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ToolOutcome } from '../../src/agent/tools/tool.ts';
import { CommandEnvironments } from '../../src/editor/agent/commandEnvironment.ts';
import { CommandTerminals } from '../../src/editor/agent/commandTerminals.ts';
import { commandTool } from '../../src/editor/agent/tools/commandTool.ts';
import type { Services } from '../../src/editor/services.ts';
import { activated } from './extension.ts';

describe('a command of the agent', () => {
  let services: Services;
  let terminals: CommandTerminals;

  before(async () => {
    services = await activated();
  });
  afterEach(() => terminals.dispose());

  async function run(args: object, ownVariables: readonly string[] = []): Promise<ToolOutcome> {
    terminals = new CommandTerminals({ ownVariables: ownVariables.map((name) => [name]), log: services.log });
    const { run } = await commandTool(terminals).prepare(args);
    const { signal } = new AbortController();
    return run({ signal, report: () => undefined, ask: () => Promise.reject(new Error('It asked.')) });
  }

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
      terminals = new CommandTerminals({ ownVariables: [], log: services.log });
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
    assert.match(text, /in the background .*`npm run dev > dev\.log 2>&1 &`.*\nlistening$/);
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
});
