/**
 * One prepared history, and what every page shows of it: sums, counts, and names that two pages have must be the same.
 * `test/e2e/sameFigures.test.ts` compares what is drawn for interrupted answers.
 */
import assert from 'node:assert/strict';
import { spentOn } from '../../../src/agent/runHistory.ts';
import { conversationOf } from '../../../src/chat/conversation/conversation.ts';
import { costOf } from '../../../src/chat/conversation/conversationCost.ts';
import { asCopies } from '../../../src/chat/conversation/fork.ts';
import type { ConversationRecord } from '../../../src/chat/conversation/record.ts';
import { groupRows } from '../../../src/chat/history/history.ts';
import { summaryOf } from '../../../src/chat/history/summary.ts';
import { turnsOf } from '../../../src/chat/panel/turns.ts';
import { dayOf } from '../../../src/display/day.ts';
import { KeyList } from '../../../src/gateway/keys/keyList.ts';
import { readKeySpend } from '../../../src/ledger/keySpend.ts';
import { Ledger } from '../../../src/ledger/ledger.ts';
import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import type { UsageSums } from '../../../src/ledger/usage.ts';
import { spentCostText } from '../../../src/pages/localKey/keyText.ts';
import { figuresOf, sessionTurns } from '../../../src/pages/session/sessionReport.ts';
import type { UsageState } from '../../../src/pages/usage/protocol.ts';
import { usageCsv } from '../../../src/pages/usage/usageCsv.ts';
import { paidIn } from '../../../src/panels/chat/turns.ts';
import { sumsOfRows, sumsOfSession } from '../../../src/panels/traffic/tree/treeSums.ts';
import { keyName } from '../../../src/panels/traffic/words.ts';
import { callerName, costText } from '../../../src/panels/usage/words.ts';
import type { RequestSource } from '../../../src/rules/exchange.ts';
import { ANY_MISS, type ExchangeFilter } from '../../../src/rules/exchangeFilter.ts';
import { entry } from '../ledger/entries.ts';
import { emptyLedger, removeFolders } from '../ledger/files.ts';

const NOW = Date.now();
const TODAY = dayOf(NOW);
const SCOPE = { period: { first: '2026-01-01', last: TODAY }, ofSandbox: false };
const CHAT = 'c1';
const PRICES = { inputPrice: 3, outputPrice: 15 };

const KEYS = (() => {
  const aider = new KeyList().create('aider', {}, NOW);
  const codex = aider.list.create('codex', {}, NOW);
  return { list: codex.list.revoke(aider.key.id).list, aider: aider.key.id, codex: codex.key.id };
})();

/** The requests of a chat, by the IDs of its answers. */
const ofChat = (id: string, inputTokens: number, more: Partial<LedgerEntry> = {}): LedgerEntry => {
  const { localKeyId: _, client: __, ...call } = entry({ id, source: 'chatPanel', conversationId: CHAT });
  const usage = { inputTokens, outputTokens: 200, cachedInputTokens: 500 };
  return { ...call, sessionId: '1'.repeat(16), turnId: '2'.repeat(16), usage, ...more };
};

const HISTORY: readonly LedgerEntry[] = [
  ofChat('answer', 4000),
  ofChat('broken', 2500, { end: 'upstreamFailed', usageIsEstimated: true, usageBound: 'visible' }),
  ofChat('again', 5000, { step: 2, model: 'familyc-5.4' }),
  ofChat('title', 300, { source: 'chatTitle', model: 'familya-haiku-4.5' }),
  entry({ localKeyId: KEYS.aider, sessionId: '3'.repeat(16) }),
  entry({ localKeyId: KEYS.aider, sessionId: '3'.repeat(16), status: 429, end: 'completed' }),
  entry({
    localKeyId: KEYS.codex,
    sessionId: '4'.repeat(16),
    cacheMiss: { reason: 'tools_changed', missedTokens: 500 },
    usage: { inputTokens: 3000, outputTokens: 40, cacheWriteTokens: 900 },
  }),
  entry({ localKeyId: KEYS.codex, end: 'clientLeft', usageIsEstimated: true, usageBound: 'time' }),
  entry({ localKeyId: KEYS.codex, status: 402, end: 'budget' }),
  entry({ localKeyId: KEYS.codex, status: 500, end: 'upstreamFailed' }),
  entry({ localKeyId: KEYS.codex, end: 'cancelled' }),
  entry({ localKeyId: KEYS.codex, end: 'lost' }),
  entry({ source: 'inlineSuggestion', localKeyId: '' }),
  entry({ upstream: 'sandbox', localKeyId: KEYS.codex, sessionId: '5'.repeat(16) }),
];

/** The chat's file, whose answers cost what their requests cost. */
function chatRecords(costs: ReadonlyMap<string, number>): ConversationRecord[] {
  const answered = (id: string, parent: string): ConversationRecord[] => [
    { type: 'answer', id, at: NOW, parent, model: 'm', format: 'messages', sandbox: false, run: 'q' },
    { type: 'delta', id, text: id },
    {
      type: 'answerEnd',
      id,
      status: 'complete',
      figures: { inputTokens: 1, outputTokens: 200, cost: costs.get(id) ?? 0, estimated: false },
    },
  ];
  return [
    { type: 'conversation', version: 1, id: CHAT, at: NOW, title: 'A chat' },
    { type: 'question', id: 'q', at: NOW, parent: null, text: 'Do it', attachments: [] },
    ...answered('answer', 'q'),
    ...answered('broken', 'answer'),
    { type: 'removed', id: 'broken' },
    { type: 'title', title: 'A short title', writer: { model: 'familya-haiku-4.5', cost: costs.get('title') ?? 0 } },
    ...answered('again', 'answer'),
  ];
}

describe('a figure that several pages show', () => {
  let reader: LedgerReader;

  before(() => {
    const path = emptyLedger();
    const ledger = new Ledger({ path });
    for (const each of HISTORY) ledger.append({ ...each, prices: PRICES });
    ledger.flush();
    ledger.close();
    reader = new LedgerReader(path);
  });
  after(() => {
    reader.close();
    removeFolders();
  });

  const traffic = (filter: ExchangeFilter = {}) => reader.exchanges({ filter, limit: 1000 });
  const near = (actual: number, expected: number, what: string) =>
    assert.ok(Math.abs(actual - expected) < 1e-9, `${what}: ${actual} and ${expected}`);
  const state = { keyNames: KEYS.list.names } as UsageState;

  /** Compares sums of Usage with the head of Traffic below a filter. */
  function sameInTraffic(sums: UsageSums, filter: ExchangeFilter, what: string): void {
    const page = traffic(filter);
    assert.equal(sums.exchanges, page.exchanges, `requests of ${what}`);
    near(sums.cost, page.cost, `cost of ${what}`);
    const failed = traffic({ ...filter, outcome: 'failed' });
    assert.equal(sums.failed, failed.exchanges, `failed requests of ${what}`);
  }

  it('is the same in all parts of Usage, and in Traffic, which also has the sandbox', () => {
    const report = reader.usage(SCOPE, undefined, NOW);
    const { totals, notCounted } = report;
    assert.equal(totals.exchanges + (notCounted ?? 0), traffic().exchanges);
    near(totals.cost, traffic().cost, 'cost');
    near(reader.usage({ ...SCOPE, ofSandbox: true }).totals.cost, traffic().sampleCost, 'sample money');
    assert.equal(totals.failed, traffic({ outcome: 'failed' }).exchanges);
    for (const rows of [report.models, report.callers, report.moments, report.spends]) {
      near(
        rows.reduce((sum, { cost }) => sum + cost, 0),
        totals.cost,
        'cost of the parts',
      );
      assert.equal(
        rows.reduce((sum, { exchanges }) => sum + exchanges, 0),
        totals.exchanges,
      );
    }
    const hosted = { from: 0, terms: [{ field: 'upstream', text: 'hosted', localKeyIds: [], sources: [] }] } as const;
    for (const model of report.models) sameInTraffic(model, { ...hosted, model: model.name }, model.name);
    for (const caller of report.callers) {
      const { source, localKeyId } = caller;
      const filter = { source: source as RequestSource, ...(localKeyId !== '' && { localKeyId }) };
      sameInTraffic(caller, { ...hosted, ...filter }, callerName(caller, state));
    }
    near(reader.spentSince('hosted', SCOPE.period.first) / 1e9, totals.cost, 'limit of the service key');
  });

  it('is the same in exports of Usage', () => {
    const { totals } = reader.usage(SCOPE, undefined, NOW);
    const [head = '', ...lines] = usageCsv(reader.usageLines(SCOPE), { ...state, conversationTitles: {} })
      .trimEnd()
      .split('\r\n');
    const sumOf = (name: string) =>
      lines.reduce((sum, line) => sum + Number(line.split(',')[head.split(',').indexOf(name)]), 0);
    assert.deepEqual([sumOf('exchanges'), sumOf('failed')], [totals.exchanges, totals.failed]);
    near(sumOf('cost_usd'), totals.cost, 'exported cost');
  });

  it('is the same for a key in the gateway’s tree, in Usage, and in Traffic, by the same name', () => {
    const { callers } = reader.usage(SCOPE, undefined, NOW);
    const viewContext = { keyNames: KEYS.list.names } as Parameters<typeof keyName>[1];
    for (const id of [KEYS.aider, KEYS.codex]) {
      const caller = callers.find(({ localKeyId }) => localKeyId === id);
      const [spend] = readKeySpend(reader, { keys: [{ id, periods: ['total'] }] }, NOW);
      const sample = traffic({ localKeyId: id }).sampleCost;
      assert.ok(caller !== undefined && spend?.spent.total !== undefined);
      const { cost, sample: known = 0 } = spend.spent.total;
      near(cost - known, caller.cost, `key ${id}`);
      near(known, sample, `sample money of key ${id}`);
      assert.equal(callerName(caller, state), keyName({ localKeyId: id }, viewContext));
      const text = spentCostText(spend.spent.total);
      assert.equal(text.split(' + ')[0], costText(caller));
      assert.equal(text.includes('sample'), sample > 0);
    }
    assert.equal(KEYS.list.names[KEYS.aider], 'aider (revoked)');
  });

  it('is the same for a session in Usage, in Traffic’s tree, and on its page', () => {
    const usage = reader.usageSessions(SCOPE);
    const { sessions } = reader.sessions({ filter: {}, limit: 100 });
    assert.equal(usage.count, usage.sessions.length);
    for (const session of usage.sessions) {
      const rows = traffic({ sessionId: session.sessionId }).rows;
      const [listed] = sessions.filter(({ sessionId }) => sessionId === session.sessionId);
      const [page, tree] = [figuresOf(rows), sumsOfRows(rows)];
      assert.ok(listed !== undefined);
      assert.deepEqual([listed.exchanges, page.requests, tree.requests], Array(3).fill(session.exchanges));
      for (const cost of [listed.cost, page.cost, tree.cost ?? 0, sumsOfSession(listed).cost ?? 0])
        near(cost, session.cost, `session ${session.sessionId}`);
      near(page.avoidable, session.avoidable, 'avoidable cost');
      near(
        sessionTurns(rows).reduce((sum, { cost }) => sum + cost, 0),
        session.cost,
        'cost of the turns',
      );
      const input = page.uncached + page.read + page.written;
      assert.deepEqual([input, page.read], [session.inputTokens, session.cachedInputTokens]);
    }
    const misses = usage.misses.reduce((sum, { exchanges }) => sum + exchanges, 0);
    const missed = { terms: [{ field: 'miss', text: ANY_MISS, localKeyIds: [], sources: [] }] } as const;
    assert.equal(misses, traffic(missed).exchanges);
  });

  it('is the same for a chat in its head, in its run, in History, in Usage, and in Traffic', () => {
    const costs = new Map(traffic({ conversationId: CHAT }).rows.map(({ id, cost = 0 }) => [id, cost]));
    const records = chatRecords(costs);
    const chat = conversationOf(CHAT, records);
    const { cost } = traffic({ conversationId: CHAT });
    near(costOf(chat).cost ?? 0, cost, 'head of the chat');
    const title = costs.get('title') ?? 0;
    near(spentOn(chat, 'q') ?? 0, cost - title, 'head of the run');
    const [session] = reader.usageSessions(SCOPE).sessions.filter(({ sessionId }) => sessionId === '1'.repeat(16));
    near(session?.cost ?? 0, cost, 'row of the session');
    const summary = summaryOf(chat);
    assert.ok(summary !== undefined);
    const [group] = groupRows([summary], NOW, 10);
    near(group?.cost ?? 0, cost, 'group of the history');
    const lines = reader.usageLines(SCOPE).filter(({ conversationId }) => conversationId === CHAT);
    near(
      lines.reduce((sum, line) => sum + line.cost, 0),
      cost,
      'lines of Usage',
    );
    // What is shown, and what was replaced, make the whole.
    near(paidIn(turnsOf(chat)) + (costs.get('broken') ?? 0) + title, cost, 'answers of the chat');
    // Neither a fork nor an imported chat has the record of who wrote the title.
    const copy = conversationOf('copy', asCopies(records.filter(({ type }) => type !== 'title')));
    assert.deepEqual([costOf(copy), spentOn(copy, 'q'), paidIn(turnsOf(copy))], [{}, 0, 0]);
  });
});
