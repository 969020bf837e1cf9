import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activated, EXTENSION_ID } from './extension.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: readonly { readonly properties: Readonly<Record<string, { readonly scope: string }>> }[];
  };
}

function manifest(): Manifest {
  return vscode.extensions.getExtension(EXTENSION_ID)?.packageJSON;
}

describe('the activated extension', () => {
  before(activated);

  it('registers every command declared in its manifest', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = manifest().contributes.commands.filter(({ command }) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('does not let a workspace override settings that determine where the key is sent', () => {
    const groups = manifest().contributes.configuration.map(({ properties }) => Object.entries(properties));
    const scopes = new Map(groups.flat().map(([name, { scope }]) => [name, scope]));
    for (const name of ['baseAddress', 'dashboardAddress', 'sandbox.enabled', 'gateway.port', 'gateway.autoStart']) {
      assert.equal(scopes.get(`modelAccess.${name}`), 'machine', name);
    }
  });
});
