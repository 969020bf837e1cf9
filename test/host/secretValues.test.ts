import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { SecretValues } from '../../src/editor/connection/secretValues.ts';
import { eventually } from '../support/eventually.ts';

describe('the values of secret files', () => {
  const folder = vscode.Uri.joinPath(vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(), 'secretFolders');
  const settings = {
    secretSources: { files: ['secretFolders/**/.env'], variables: [] },
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const log = { warn: (text: string) => assert.fail(text) };
  let values: SecretValues;

  before(() => {
    values = new SecretValues(settings as never, log as never);
  });
  after(async () => {
    values.dispose();
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  it('are known of files that are created together with their folders', async () => {
    await values.read();
    // The editor is always told of the first folder, but of the file in it only most of the time.
    for (let number = 1; number <= 12; number += 1) {
      const { fsPath } = vscode.Uri.joinPath(folder, `${number}/app/.env`);
      mkdirSync(dirname(fsPath), { recursive: true });
      writeFileSync(fsPath, `PASSWORD=xK2mQ7vR9tW4${number}\n`);
      await eventually(`value ${number}`, async () => (await values.read()).length === number);
    }
  });
});
