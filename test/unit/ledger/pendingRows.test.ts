import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Ledger } from '../../../src/ledger/ledger.ts';
import { LedgerReader } from '../../../src/ledger/ledgerReader.ts';
import { eventually } from '../../support/eventually.ts';
import { entry } from './entries.ts';
import { emptyLedger, removeFolders } from './files.ts';

const BLOCKED_WRITER = fileURLToPath(new URL('blockedWriterProcess.ts', import.meta.url));

describe('the rows of a process that is killed before it can write them', () => {
  /** The folder of a ledger whose process was killed. */
  let left: string;
  let path: string;
  before(() => {
    left = mkdtempSync(join(tmpdir(), 'killed-'));
    const { signal, stderr } = spawnSync(process.execPath, [BLOCKED_WRITER, join(left, 'ledger.sqlite')]);
    assert.equal(signal, 'SIGKILL', stderr.toString());
  });
  after(() => rmSync(left, { recursive: true }));
  beforeEach(() => {
    path = emptyLedger();
  });
  afterEach(removeFolders);

  const pending = () => readdirSync(dirname(path)).filter((name) => name.includes('.pending-'));
  const pathOfPending = () => join(dirname(path), pending()[0] ?? assert.fail('there is no file'));
  const textOfPending = () => readFileSync(pathOfPending(), 'utf8');
  /** Copies what the process has left, because one killed process is enough for all tests. */
  const copyLeft = () => cpSync(left, dirname(path), { recursive: true });
  const rows = () => {
    const reader = new LedgerReader(path);
    reader.enterLost();
    const page = reader.exchanges({ filter: {}, limit: 10 });
    reader.close();
    return page.rows.map(({ id, end, usageIsEstimated }) => [id, end, usageIsEstimated]).sort();
  };
  const ENTERED = [
    ['ended', 'completed', undefined],
    ['first', 'lost', true],
    ['second', 'lost', true],
  ];

  it('are entered when the ledger is read, those of running exchanges as lost with their estimates', () => {
    copyLeft();
    assert.deepEqual(rows(), ENTERED);
    assert.deepEqual([rows(), pending()], [ENTERED, []]);
  });

  it('are entered although a file is damaged: its damaged lines are counted and kept', () => {
    copyLeft();
    const [header = ''] = textOfPending().split('\n');
    const width = (JSON.parse(header) as unknown[]).length;
    const unusable = [Array(width).fill(null), Array(width).fill('x'), ['too short'], {}];
    const lines = [...unusable.map((line) => JSON.stringify(line)), '["cut'];
    appendFileSync(pathOfPending(), lines.join('\n'));
    for (const text of ['["a"]\n["x"]\n', '[]\n', '\0\n\0\n\0\n']) {
      const other = `${pathOfPending()}-${text.length}`;
      writeFileSync(other, text);
    }
    const problems: string[] = [];
    const enter = () => {
      const ledger = new Ledger({ path, onProblem: ({ message }) => problems.push(message) });
      ledger.close();
    };
    enter();
    assert.deepEqual([rows(), pending()], [ENTERED, []]);
    const reports = problems.map((problem) =>
      /^Damaged lines in (.*) that are not in the ledger: (\d)\.$/.exec(problem),
    );
    assert.deepEqual(reports.map((report) => report?.[2]).sort(), ['1', '2', '3', '5']);
    for (const report of reports) assert.ok(statSync(report?.[1] ?? '').size > 0, report?.[0]);
    problems.length = 0;
    enter();
    assert.deepEqual(problems, [], 'they are reported once');
  });

  it('are entered although another file cannot be read, which is reported', function () {
    // Modes do not restrict root, and Windows has none.
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    copyLeft();
    const other = `${path}.pending-1-other`;
    writeFileSync(other, 'x', { mode: 0 });
    utimesSync(other, 0, 0);
    const problems: string[] = [];
    new Ledger({ path, onProblem: ({ message }) => problems.push(message) }).close();
    assert.deepEqual(rows(), ENTERED);
    assert.deepEqual(problems, [`${other} cannot be read. Its requests are not recorded.`]);
  });

  it('are entered when the ledger is opened by the next process', () => {
    copyLeft();
    new Ledger({ path }).close();
    assert.deepEqual([pending(), rows()], [[], ENTERED]);
  });

  it('are entered once if they were entered but not yet removed', () => {
    copyLeft();
    const [file, text] = [pathOfPending(), readFileSync(pathOfPending())];
    assert.deepEqual(rows(), ENTERED);
    writeFileSync(file, text);
    assert.deepEqual([rows(), pending()], [ENTERED, []]);
  });

  it('are entered if the last line was cut', () => {
    copyLeft();
    appendFileSync(pathOfPending(), '["third",17');
    assert.deepEqual(rows(), ENTERED);
  });

  it('are entered without what a later version has added', () => {
    copyLeft();
    const [names = '', ...lines] = readFileSync(pathOfPending(), 'utf8').trim().split('\n');
    const later = [['added', ...JSON.parse(names)], ...lines.map((line) => ['new', ...JSON.parse(line)])];
    writeFileSync(pathOfPending(), later.map((line) => `${JSON.stringify(line)}\n`).join(''));
    assert.deepEqual(rows(), ENTERED);
  });

  it('are in a file that only its user can read', () => {
    copyLeft();
    assert.equal(statSync(pathOfPending()).mode & 0o777, 0o600);
  });

  it('include those that a budget pays for while another process writes', async () => {
    const ledger = new Ledger({ path });
    const blocker = new DatabaseSync(path);
    blocker.exec('BEGIN IMMEDIATE');
    ledger.begin('running', () => entry({ id: 'running' }), true);
    ledger.append(entry({ id: 'ended' }), { isUrgent: true });
    await eventually('both are pending', async () =>
      ['running', 'ended'].every((id) => pending().length > 0 && textOfPending().includes(`"${id}"`)),
    );
    blocker.close();
    ledger.close();
    assert.deepEqual(pending(), []);
  });

  it('of a living process are not touched, also while it is idle', async () => {
    const ledger = new Ledger({ path });
    const enterLost = () => {
      const reader = new LedgerReader(path);
      reader.enterLost(Date.now() + 24 * 60 * 60 * 1000);
      reader.close();
    };
    const blocker = new DatabaseSync(path);
    const isPending = (id: string) =>
      eventually(`${id} is pending`, async () => pending().length > 0 && textOfPending().includes(`"${id}"`));
    blocker.exec('BEGIN IMMEDIATE');
    ledger.append(entry({ id: 'first' }));
    await isPending('first');
    blocker.exec('ROLLBACK');
    ledger.flush();
    const [file] = pending();
    enterLost();
    assert.deepEqual([pending(), statSync(pathOfPending()).size], [[file], 0]);
    blocker.exec('BEGIN IMMEDIATE');
    ledger.append(entry({ id: 'second' }));
    await isPending('second');
    blocker.close();
    ledger.close();
    assert.deepEqual(pending(), []);
    assert.deepEqual(
      rows().map(([id]) => id),
      ['first', 'second'],
    );
  });
});
