/** Appends to the ledger named by its argument without end, or as often as its second argument says. */
import { writeSync } from 'node:fs';
import { Ledger } from '../../../../src/gateway/ledger/ledger.ts';
import { entry } from './entries.ts';

const [path = '', times = 'Infinity'] = process.argv.slice(2);
const ledger = new Ledger({ path });
let left = Number(times);

const timer = setInterval(() => {
  const { id, at, ...rest } = entry();
  ledger.append({ id, at, ...rest });
  // At once and in order, so that nothing is printed that was not appended, whenever the end comes.
  writeSync(1, `${id} ${at}\n`);
  left -= 1;
  if (left > 0) return;
  clearInterval(timer);
  ledger.close();
}, 1);
