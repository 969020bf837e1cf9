import assert from 'node:assert/strict';
import { openSampleSession } from '../../../../src/gateway/worker/sampleSession.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { LedgerThread } from '../../../../src/ledger/ledgerThread.ts';
import { SAMPLE_STEPS } from '../../../../src/sandbox/sampleSession.ts';
import { ledgerPath, removeFolders } from '../../ledger/files.ts';

describe('the session of a sample agent', () => {
  let thread: LedgerThread;
  const problems: string[] = [];
  const entered: string[] = [];

  const open = (ledger: string) =>
    openSampleSession({
      ledger,
      read: (question) => thread.read(question),
      onEntered: (ids) => entered.push(...ids),
      onProblem: (problem) => problems.push(problem),
    });

  before(() => {
    thread = new LedgerThread((warning) => problems.push(warning));
  });
  after(async () => {
    await thread.close();
    removeFolders();
  });

  it('is recorded by a gateway as sample money, with every kind of finding that it shows, and only once', async () => {
    const ledger = ledgerPath();
    const [sessionId, again] = await Promise.all([open(ledger), open(ledger)]);
    assert.equal(again, sessionId);
    assert.equal(await open(ledger), sessionId);
    const reader = new LedgerReader(ledger);
    const { rows, cost, sampleCost } = reader.exchanges({ filter: {}, limit: 100 });
    const context = reader.sessionContext(sessionId);
    reader.close();
    assert.deepEqual(problems, []);
    assert.equal(entered.length, SAMPLE_STEPS);
    assert.deepEqual([rows.length, cost, sampleCost > 0.1], [SAMPLE_STEPS, 0, true]);
    assert.equal(context.requests, SAMPLE_STEPS);
    assert.equal(
      context.inputTokens,
      rows.reduce((sum, { usage }) => sum + (usage?.inputTokens ?? 0), 0),
    );
    assert.deepEqual(
      rows.flatMap(({ cacheMiss }) => cacheMiss?.reason ?? []),
      ['tools_changed', 'cold'],
    );
    const found = context.findings.map(({ kind, name, file = '' }) => [kind, name, context.names[file] ?? '']);
    assert.deepEqual(found, [
      ['unused_result', 'Bash', 'npm test'],
      ['tools_changed', 'rates', ''],
      ['unused_server', 'issues', ''],
      ['compaction_saved', '', ''],
      ['repeated_result', 'Read', 'src/quote.ts'],
      ['compaction_cost', '', ''],
    ]);
    assert.equal(context.steps.filter(({ isCompacted }) => isCompacted === true).length, 1);
  });
});
