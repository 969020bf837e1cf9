/**
 * Reads the ledger named by its first argument until it contains as many exchanges as the second argument, and prints
 * each count.
 */
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';

const [path = '', wanted = '0'] = process.argv.slice(2);
const reader = new LedgerReader(path);

const timer = setInterval(() => {
  const { exchanges, cost } = reader.exchanges({ filter: {}, limit: 0 });
  console.log(`${exchanges} ${Math.round(cost * 1e9)}`);
  if (exchanges < Number(wanted)) return;
  clearInterval(timer);
  reader.close();
}, 5);
