/** Appends to the ledger named by its argument, endlessly or as often as its second argument. */
import { writeSync } from 'node:fs';
import { Ledger } from '../../../../src/gateway/ledger/ledger.ts';
import { entry } from './entries.ts';

const [path = '', times = 'Infinity'] = process.argv.slice(2);
const ledger = new Ledger({ path });
let left = Number(times);

const timer = setInterval(() => {
  const { id, at, ...rest } = entry();
  ledger.append({ id, at, ...rest });
  // Written synchronously, so that nothing is printed that was not appended, whenever the process is killed.
  writeSync(1, `${id} ${at}\n`);
  left -= 1;
  if (left > 0) return;
  clearInterval(timer);
  ledger.close();
}, 1);
