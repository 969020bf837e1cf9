/** Opens the ledger named by its argument and prints the result. */
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerError } from '../../../src/ledger/sqlite.ts';

try {
  new Ledger({ path: process.argv[2] ?? '' }).close();
  console.log('opened');
} catch (error) {
  console.log(error instanceof LedgerError ? `${error.problem}: ${error.message}` : String(error));
}
