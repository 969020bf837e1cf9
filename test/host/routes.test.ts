import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { Services } from '../../src/editor/services.ts';
import type { RouteForm } from '../../src/pages/routes/protocol.ts';
import { formsOf, readForms } from '../../src/pages/routes/routeForms.ts';
import { eventually } from '../support/eventually.ts';
import { inSandbox } from './extension.ts';

describe('the page of routes', () => {
  let services: Services;

  before(async () => {
    services = await inSandbox();
  });
  afterEach(async () => {
    await services.settings.set('routes', undefined);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  const tabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('modelAccess.routes'));

  it('is opened by its command, once', async () => {
    await vscode.commands.executeCommand('modelAccess.manageRoutes');
    await vscode.commands.executeCommand('modelAccess.manageRoutes');
    await eventually('the tab', async () => tabs().length > 0);
    assert.deepEqual(
      tabs().map(({ label }) => label),
      ['Routes'],
    );
  });

  it('writes what the gateway reads', async () => {
    const [form] = formsOf({ coding: { use: ['familya-sonnet-4.6'], when: [{ image: true, use: ['fast'] }] } });
    assert.ok(form);
    const fast: RouteForm = { ...form, name: 'fast', use: ['familya-haiku-4.5'], when: [] };
    const { routes } = readForms([form, fast], services.upstream.knownNames);
    assert.ok(routes);
    await services.settings.set('routes', routes);
    const settings = await services.upstream.read();
    assert.equal(settings.kind, 'routed');
    assert.deepEqual(settings.kind === 'routed' && settings.routes, routes);
  });
});
