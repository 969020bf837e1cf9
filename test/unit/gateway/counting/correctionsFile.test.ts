import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Corrections } from '../../../../src/gateway/counting/corrections.ts';
import { CorrectionsFile, correctionsBeside } from '../../../../src/gateway/counting/correctionsFile.ts';
import { type CountQuestion, TokenCounter } from '../../../../src/gateway/counting/tokenCounter.ts';

const TEXT = 'The quick brown fox jumps over the lazy dog, and then it writes some code. '.repeat(20);
const QUESTION: CountQuestion = {
  upstream: 'u',
  model: 'familya-sonnet-4.6',
  endpoint: '/messages/count_tokens',
  body: Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: TEXT }] })),
};

describe('the corrections file', () => {
  let folder = '';
  let path = '';
  const problems: string[] = [];
  const open = (corrections = new Corrections(), at = path) =>
    new CorrectionsFile(at, corrections, (problem) => problems.push(problem));

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'corrections-'));
    path = correctionsBeside(join(folder, 'new', 'ledger.sqlite'));
    problems.length = 0;
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps what a counter has learned for the next one', async () => {
    const factors: (number | undefined)[] = [];
    for (const isFirst of [true, false]) {
      const counter = new TokenCounter((problem) => assert.fail(problem));
      counter.keepIn(path);
      if (isFirst) await counter.learn(QUESTION, 2 * TEXT.length);
      const counted = await counter.count(QUESTION);
      factors.push('factor' in counted ? counted.factor : undefined);
      await counter.close();
    }
    assert.ok((factors[0] ?? 0) > 1.5, String(factors[0]));
    assert.equal(factors[1], factors[0]);
  });

  it('holds factors and report counts by upstream and model, readable by its user only', async () => {
    const corrections = new Corrections();
    const file = open(corrections);
    corrections.report('u/m', 2, 2);
    file.changed();
    file.close();
    assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), { 'u/m': { factor: 2, reports: 1 } });
    if (process.platform !== 'win32') assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(join(folder, 'new')), ['ledger.sqlite.factors.json']);
  });

  it('is not written if nothing was learned', async () => {
    open().close();
    await assert.rejects(readFile(path), { code: 'ENOENT' });
  });

  for (const text of ['', 'no json', '[]', '{"a":7,"b":{"factor":"x","reports":1},"c":{"factor":1e400,"reports":1}}']) {
    it(`is ignored if it contains ${JSON.stringify(text)}`, async () => {
      const corrections = new Corrections();
      const other = join(folder, 'factors.json');
      await writeFile(other, text);
      open(corrections, other);
      assert.deepEqual([...corrections.entries()], []);
      assert.deepEqual(problems, []);
    });
  }

  it('is limited to plausible factors, whatever it contains', async () => {
    const corrections = new Corrections();
    const other = join(folder, 'factors.json');
    await writeFile(other, '{"u/m":{"factor":1000,"reports":3}}');
    open(corrections, other);
    assert.deepEqual(corrections.find('u/m'), { factor: 3, reports: 3 });
  });

  it('reports that it cannot be written, and the counter continues', () => {
    const corrections = new Corrections();
    const file = open(corrections, join(folder, '\0'));
    corrections.report('u/m', 2, 2);
    file.changed();
    file.close();
    assert.match(problems.join(), /Could not save the correction factors/);
  });
});
