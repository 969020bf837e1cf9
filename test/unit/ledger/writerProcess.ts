/**
 * Appends to the ledger named by its argument, endlessly or as often as its second argument. Prints the ID of each
 * exchange, and the time in milliseconds that the process has run until then.
 */
import { writeSync } from 'node:fs';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { entry } from './entries.ts';

const [path = '', times = 'Infinity'] = process.argv.slice(2);
const ledger = new Ledger({ path });
let left = Number(times);

/** A busy machine lets a process wait between two turns. What it has not run, its timers could not use. */
const MAX_TURN_MS = 20;
let ran = 0;
let last = performance.now();

const timer = setInterval(() => {
  const now = performance.now();
  ran += Math.min(now - last, MAX_TURN_MS);
  last = now;
  const added = entry();
  ledger.append(added);
  // Written synchronously, so that nothing is printed that was not appended, whenever the process is killed.
  writeSync(1, `${added.id} ${ran}\n`);
  left -= 1;
  if (left > 0) return;
  clearInterval(timer);
  ledger.close();
}, 1);
