import assert from 'node:assert/strict';
import { openForReading } from '../../../../src/ledger/database.ts';
import { Ledger } from '../../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../../src/ledger/ledgerReader.ts';
import { sessionLines } from '../../../../src/pages/session/sessionLines.ts';
import { entry } from '../../ledger/entries.ts';
import { emptyLedger, removeFolders } from '../../ledger/files.ts';

describe('a session as JSON Lines', () => {
  afterEach(removeFolders);

  it('has the names and values of the ledger’s columns', () => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    const usage = { inputTokens: 10_000, outputTokens: 3, cachedInputTokens: 4_000, cacheWriteTokens: 5_000 };
    ledger.append(
      entry({
        sessionId: 's',
        agentId: 'a',
        turnId: 't',
        toolMs: 222,
        usage,
        cacheMiss: { reason: 'expired', missedTokens: 1_500 },
      }),
    );
    ledger.append(entry({ sessionId: 's' }));
    ledger.close();
    const reader = new LedgerReader(path);
    const { rows } = reader.exchanges({ filter: { sessionId: 's' }, limit: 9 });
    reader.close();
    const lines = sessionLines(rows.toReversed())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const database = openForReading(path);
    const stored = database.prepare('SELECT * FROM exchanges ORDER BY number').all();
    database.close();
    assert.equal(lines.length, 2);
    for (const [nth, line] of lines.entries()) {
      for (const [name, value] of Object.entries(line)) assert.equal(value, stored[nth]?.[name], name);
    }
    assert.equal(lines[0].tool_ms, 222);
    assert.ok(lines[0].cache_miss_cost > 0 && lines[0].cost > 0);
  });
});
