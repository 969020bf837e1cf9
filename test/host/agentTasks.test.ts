import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import { FORMAT_NAMES } from '../../src/formats/conversation.ts';
import { ScriptedConnection } from '../support/editor/scriptedConnection.ts';
import type { ScriptedCall, ScriptedModel, ScriptedStep } from '../support/scriptedModel.ts';
import { activated, EXTENSION_ID } from './extension.ts';

const run = promisify(execFile);

interface Task {
  readonly question: string;
  readonly steps: readonly ScriptedStep[];
}

/**
 * Small repositories whose own tests fail. The model follows the steps of `task.json`; the repository's tests tell whether
 * the agent's tools did what they say.
 */
describe('the agent on sample repositories', () => {
  const root = vscode.extensions.getExtension(EXTENSION_ID)?.extensionPath ?? '';
  const fixtures = join(root, 'test', 'fixtures', 'tasks');
  let services: Services;
  let connection: ScriptedConnection;
  let model: ScriptedModel;
  let folder: string;

  before(async () => {
    services = await activated();
    connection = await ScriptedConnection.open(services);
    model = connection.model;
    const [workspace] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(workspace);
    folder = join(workspace.uri.fsPath, 'tasks');
    await cp(fixtures, folder, { recursive: true });
  });
  after(async () => {
    // A new chat takes over the mode.
    await services.session.chat.chooseMode('ask');
    await connection.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the repository's own tests. */
  async function passes(name: string): Promise<boolean> {
    // A file with tests that is run by itself fails if one of them does.
    const options = { cwd: join(folder, name), env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' } };
    return run(process.execPath, ['check.test.mjs'], options).then(
      () => true,
      () => false,
    );
  }

  readdirSync(fixtures).forEach((name, index) => {
    it(`completes the task ${name}`, async () => {
      const { question, steps }: Task = JSON.parse(readFileSync(join(fixtures, name, 'task.json'), 'utf8'));
      assert.equal(await passes(name), false, 'The tests pass before the task.');
      const format = FORMAT_NAMES[index % FORMAT_NAMES.length];
      assert.ok(format);
      await services.session.startNew();
      await services.session.chat.chooseMode('agent');
      await services.session.parameters.chooseFormat(format);
      model.follow([...steps.map((step) => inFolder(step, `tasks/${name}`)), { text: 'Done.' }]);
      await services.session.chat.turns.send(question);
      assert.equal(services.session.chat.runs.view?.state, 'done');
      assert.ok(await passes(name), 'The tests fail after the task.');
    });
  });
});

/** The step with its paths in the copy of the repository. */
function inFolder({ calls = [], ...step }: ScriptedStep, folder: string): ScriptedStep {
  return {
    ...step,
    calls: calls.map(([name, args]): ScriptedCall => [name, typeof args === 'string' ? args : placed(args)]),
  };

  function placed(args: object): object {
    const paths = Object.entries(args).filter(([key]) => key === 'path' || key === 'new_path');
    return { ...args, ...Object.fromEntries(paths.map(([key, path]) => [key, `${folder}/${path}`])) };
  }
}
