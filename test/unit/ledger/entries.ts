import type { LedgerEntry } from '../../../src/ledger/ledgerEntry.ts';

let made = 0;

/** Returns an exchange with its own ID. */
export function entry(members: Partial<LedgerEntry> = {}): LedgerEntry {
  made += 1;
  return {
    id: `req_${process.pid}_${made}`,
    at: Date.now(),
    source: 'gateway',
    localKeyId: 'terminal',
    client: 'curl',
    endpoint: '/messages',
    callerFormat: 'messages',
    upstreamFormat: 'chat-completions',
    model: 'familya-sonnet-4.6',
    upstream: 'hosted',
    status: 200,
    queueMs: 2.25,
    firstByteMs: 12.5,
    durationMs: 100.25,
    usage: { inputTokens: 1000, outputTokens: 100 },
    prices: { inputPrice: 3, outputPrice: 15 },
    end: 'completed',
    ...members,
  };
}
