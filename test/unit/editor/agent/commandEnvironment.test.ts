import assert from 'node:assert/strict';
import { runShellCommand } from '../../../../src/agent/shellCommand.ts';
import { CommandEnvironments } from '../../../../src/editor/agent/commandEnvironment.ts';
import { Uri } from '../../../support/editorApi/vscode.ts';

describe('the environment of the agent’s commands', () => {
  const { CI } = process.env;

  afterEach(() => {
    if (CI === undefined) delete process.env.CI;
    else process.env.CI = CI;
  });

  /** What a command sees without a terminal of the editor. */
  async function printed(command: string): Promise<string> {
    const log = { warn: () => undefined };
    const environments = new CommandEnvironments({ ownVariables: [], log: log as never }, 0);
    const { variables } = await environments.of(Uri.file(process.cwd()) as never);
    const { output } = await runShellCommand(command, {
      shell: '/bin/sh',
      folder: process.cwd(),
      env: variables,
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      onText: () => undefined,
    });
    return output.trim();
  }

  it('does not say that commands run without a person, unless the person’s own does', async () => {
    delete process.env.CI;
    // biome-ignore lint/suspicious/noTemplateCurlyInString: The shell reads it.
    const command = 'echo "${CI-none} $PAGER $GIT_TERMINAL_PROMPT"';
    assert.equal(await printed(command), 'none cat 0');
    process.env.CI = 'true';
    assert.equal(await printed(command), 'true cat 0');
  });
});
