import type { ExchangeRow } from '../../../../src/ledger/exchangeQuery.ts';

let made = 0;

/** Returns a request of a session, one second after the previous one. */
export function row(members: Partial<ExchangeRow> = {}): ExchangeRow {
  made += 1;
  return {
    number: made,
    id: `r${made}`,
    at: made * 1_000,
    source: 'gateway',
    sessionId: 's',
    model: 'familya-opus-4.6',
    durationMs: 500,
    end: 'completed',
    ...members,
  };
}
