import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExchangeRow } from '../../../../src/gateway/postgres/exchangeRow.ts';
import { leftBehind, Spool } from '../../../../src/gateway/postgres/spool.ts';
import { removeSpools, spoolFolder } from './spools.ts';

describe('the spool of a replica that was killed', () => {
  afterEach(removeSpools);

  const row = (id: string, ended: string, cost: number): ExchangeRow => ({
    ...{ id, at: 0, key: null, team: null, client: null, model: null, upstream: null, status: null, ended },
    ...{ input_tokens: null, output_tokens: null, cost, is_estimated: true, details: {} },
  });

  it('has the last state of each request: with the amounts of its latest attempt, or how it ended', async () => {
    const folder = await spoolFolder();
    const spool = new Spool({ folder, onProblem: assert.fail });
    spool.open(row('running', 'completed', 1));
    spool.open(row('ended', 'completed', 1));
    spool.open(row('running', 'completed', 2));
    spool.close(row('ended', 'completed', 3));
    const [left] = leftBehind(folder);
    assert.deepEqual(
      left?.rows.map(({ id, ended, cost }) => [id, ended, cost]),
      [
        ['running', 'lost', 2],
        ['ended', 'completed', 3],
      ],
    );
    spool.end();
  });

  it('has its rows although lines of its file are damaged', async () => {
    const folder = await spoolFolder();
    const spool = new Spool({ folder, onProblem: assert.fail });
    spool.close(row('first', 'completed', 1));
    const file = join(folder, spool.replica, 'exchanges.jsonl');
    appendFileSync(file, ['null', '1', '[]', '{}', '{"closed":null}', '{"closed":"x"}', '\0{', ''].join('\n'));
    spool.close(row('second', 'completed', 2));
    const [left] = leftBehind(folder);
    assert.deepEqual(
      left?.rows.map(({ id }) => id),
      ['first', 'second'],
    );
    spool.end();
  });
});
