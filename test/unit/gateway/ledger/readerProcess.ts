/**
 * Reads the ledger named by its first argument until it contains as many exchanges as the second argument, and prints
 * each count.
 */
import { LedgerReader } from '../../../../src/gateway/ledger/ledgerReader.ts';

const [path = '', wanted = '0'] = process.argv.slice(2);
const reader = new LedgerReader(path);

const timer = setInterval(() => {
  const [totals] = reader.spend({ from: 0, to: Number.MAX_SAFE_INTEGER }, []);
  const { exchanges = 0, cost = 0 } = totals ?? {};
  console.log(`${exchanges} ${cost}`);
  if (exchanges < Number(wanted)) return;
  clearInterval(timer);
  reader.close();
}, 5);
