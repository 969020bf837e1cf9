import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import type { IssuedKey } from '../../src/gateway/keys/issuedKey.ts';

export const EXTENSION_ID = 'model-access.model-access';

/** Returns the services of the running extension, which it exposes to tests only. */
export async function activated(): Promise<Services> {
  const extension = vscode.extensions.getExtension<Services>(EXTENSION_ID);
  assert.ok(extension, 'The extension is not installed in this host.');
  const services = await extension.activate();
  assert.ok(services, 'The extension does not run in test mode.');
  return services;
}

/** Like {@link activated}, with the sandbox enabled and connected. */
export async function inSandbox(): Promise<Services> {
  const services = await activated();
  await services.settings.set('sandbox.enabled', true);
  await services.connection.refresh();
  assert.equal(services.connection.current.kind, 'sandbox');
  return services;
}

/** Returns the local key that exists from the beginning. */
export async function firstKey({ localKeys }: Services): Promise<IssuedKey> {
  const [key] = (await localKeys.read()).keys;
  assert.ok(key);
  return key;
}
