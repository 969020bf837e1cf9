import assert from 'node:assert/strict';
import { openTeam } from '../../packages/gateway/src/cli/team.ts';
import { createHosted } from '../../src/gateway/upstreams/hosted.ts';
import type { Editor } from '../support/editor/editor.ts';
import { connect, disconnect, freshEditor, newChat } from '../support/editor/sharedEditors.ts';
import { UsageTab } from '../support/editor/usageTab.ts';
import type { Workbench } from '../support/editor/workbench.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import {
  closeAll,
  closeLater,
  type RunningGateway,
  SERVICE_KEY,
  startGateway,
} from '../unit/gateway/support/gateway.ts';
import { createTeam, startService } from '../unit/standalone/postgres/replicas.ts';
import { removeSpools, spoolFolder } from '../unit/standalone/postgres/spools.ts';

const STATUS = 'modelAccess.status';

describe('a key for a team gateway', () => {
  let gateway: Awaited<ReturnType<typeof openTeam>>;
  let records: RunningGateway['records'];
  let editor: Editor;
  let workbench: Workbench;

  before(async () => {
    const team = await createTeam();
    await team.teams.create('Platform', [{ amount: 10, unit: 'usd', period: 'monthly' }]);
    const budgets = [{ amount: 4, unit: 'usd', period: 'monthly' }] as const;
    const { key } = await team.keys.create('laptop', { budgets, team: 'Platform' });
    const settings = { address: team.address, spool: await spoolFolder(), allowsWhenAway: false, warnings: [] };
    gateway = await openTeam(settings, (problem) => assert.fail(problem));
    closeLater(() => gateway.database.close());
    const upstream = createHosted({ baseAddress: (await startService()).baseUrl, serviceKey: SERVICE_KEY });
    closeLater(() => upstream.close());
    const { books, keys, admin } = gateway;
    const running = await startGateway({ upstream, books, keySource: keys, furtherPaths: admin, localKeys: [] });
    ({ records } = running);
    editor = await freshEditor();
    ({ workbench } = editor);
    await editor.changeSettings({ 'modelAccess.dashboardAddress': 'https://dashboard.example/credit' });
    await connect(editor, key, `http://127.0.0.1:${running.port}/api/v1`);
  });
  after(async () => {
    await disconnect(editor);
    await editor.changeSettings({ 'modelAccess.dashboardAddress': '' });
    await closeAll();
    await removeSpools();
  });

  it('shows its budget and its team in the status bar', async () => {
    await workbench.waitForStatusBar(STATUS, '$4.00');
    await workbench.hoverStatusBar(STATUS, 'Platform');
  });

  it('is used by the chat, and the usage view shows the gateway’s records for it', async () => {
    const chat = await newChat(editor);
    await chat.askAndWait('Is this paid by the team?');
    // The chat has the end of the answer before the gateway has recorded it.
    await eventually('the record of the answer', async () => records.some(({ usage }) => usage !== undefined));
    await gateway.books.flush();
    await workbench.runCommand('Model Access: Open Usage');
    const usage = new UsageTab(workbench.page);
    await usage.frame.getByText('Platform').first().waitFor();
    await usage.frame
      .getByRole('region', { name: 'My key, laptop' })
      .getByText(/of \$4\.00/)
      .waitFor();
    await usage.frame
      .getByRole('region', { name: 'Team budget' })
      .getByText(/of \$10\.00/)
      .waitFor();
    // The first table is the gateway's, the second one this computer's, to which other suites have added.
    await usage.openTab('Models');
    const models = usage.frame.getByRole('table', { name: 'Models' });
    await models.nth(1).waitFor();
    assert.equal(await usage.figure('Spent by my key'), '$0.0002');
    await eventuallyEqual(() => models.first().getByText('No model specified').count(), 0);
    await eventuallyEqual(() => usage.frame.getByText('Could not read').count(), 0);
    await eventuallyEqual(() => usage.frame.getByText('Add credit').count(), 0);
    await editor.screenshot('usage of a team');
  });

  it('is not included in the copied budget request for the administrator', async () => {
    await workbench.runCommand('Model Access: Copy Request for Administrator');
    await workbench.page.locator('.part.statusbar').getByText('Request for the administrator copied').waitFor();
    const text = await workbench.readClipboard();
    assert.match(text, /Team: Platform\nKey: laptop \(ID [\w-]+\)\nKey budget: /);
    assert.doesNotMatch(text, /key_/);
  });
});
