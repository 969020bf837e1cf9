import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TeamExchangeRow } from '../../../../packages/gateway/src/postgres/exchangeRow.ts';
import { leftBehind, Spool } from '../../../../packages/gateway/src/postgres/spool.ts';
import { removeSpools, spoolFolder } from './spools.ts';

describe('the spool of a replica that was killed', () => {
  afterEach(removeSpools);

  const row = (id: string, ended: string, cost: number): TeamExchangeRow => ({
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
    const [left] = leftBehind(folder, assert.fail);
    assert.deepEqual(
      left?.rows.map(({ id, ended, cost }) => [id, ended, cost]),
      [
        ['running', 'lost', 2],
        ['ended', 'completed', 3],
      ],
    );
    spool.end();
  });

  it('has its rows although lines of its file are damaged, which are counted and kept', async () => {
    const folder = await spoolFolder();
    const spool = new Spool({ folder, onProblem: assert.fail });
    spool.close(row('first', 'completed', 1));
    const file = join(folder, spool.replica, 'exchanges.jsonl');
    appendFileSync(file, ['null', '1', '[]', '{}', '{"closed":null}', '{"closed":"x"}', '\0{', ''].join('\n'));
    spool.close(row('second', 'completed', 2));
    appendFileSync(file, '{"closed":{"id":"cut');
    const problems: string[] = [];
    const [left] = leftBehind(folder, (message) => problems.push(message));
    assert.deepEqual(
      left?.rows.map(({ id }) => id),
      ['first', 'second'],
    );
    const text = readFileSync(file, 'utf8');
    left?.remove();
    const kept = join(folder, `${spool.replica}.damaged.jsonl`);
    assert.deepEqual(problems, [`Damaged lines in ${kept} that are not in the database: 8.`]);
    assert.equal(readFileSync(kept, 'utf8'), text);
    assert.deepEqual(leftBehind(folder, assert.fail), [], 'it is reported once');
  });

  it('is reported if it is unknown whether its process still runs', async () => {
    const folder = await spoolFolder();
    const spool = new Spool({ folder, onProblem: assert.fail });
    const owner = join(folder, spool.replica, 'owner.json');
    for (const text of ['', '\0\0', '{}', '{"pid":"1","host":"a"}']) {
      writeFileSync(owner, text);
      assert.deepEqual(leftBehind(folder, assert.fail), [], 'without requests, nothing is lost');
    }
    spool.close(row('first', 'completed', 1));
    const problems: string[] = [];
    assert.deepEqual(
      leftBehind(folder, (message) => problems.push(message)),
      [],
    );
    assert.match(problems.join(), /owner\.json is damaged, so the requests in exchanges\.jsonl/);
  });
});
