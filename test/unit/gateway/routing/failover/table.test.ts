import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { CASES, type FailoverCase } from './cases.ts';

const PAGE = new URL('../../../../../docs/routing.md', import.meta.url);
const HERE = new URL('./', import.meta.url);
const BEGIN = '<!-- failover cases: begin -->';
const END = '<!-- failover cases: end -->';

function row({ number, upstream, expected }: FailoverCase): string {
  return `| ${number} | ${upstream} | ${expected} |`;
}

function table(): string {
  const head = ['| | What the upstream does | What the gateway does |', '|---|---|---|'];
  return [BEGIN, '', ...head, ...CASES.map(row), '', END].join('\n');
}

describe('the table of failures in docs/routing.md', () => {
  it('has every case, and is up to date', async () => {
    const page = await readFile(PAGE, 'utf8');
    const [before, rest = ''] = page.split(BEGIN);
    const after = rest.split(END)[1];
    const observed = `${before}${table()}${after}`;
    if (process.env.UPDATE_PAGES === '1') await writeFile(PAGE, observed);
    else assert.equal(page, observed, 'docs/routing.md is out of date. Run this test with UPDATE_PAGES=1.');
  });

  it('has a test for each case', async () => {
    const files = (await readdir(HERE)).filter((name) => name.endsWith('.test.ts'));
    const sources = await Promise.all(files.map((name) => readFile(new URL(name, HERE), 'utf8')));
    const isTested = ({ upstream }: FailoverCase) =>
      sources.some((source) =>
        [`'${upstream}'`, `"${upstream}"`].some((named) => /^[,)]/.test(source.split(named)[1] ?? '')),
      );
    assert.deepEqual(
      CASES.filter((each) => !isTested(each)).map(({ number }) => number),
      [],
    );
  });

  it('names each of the sixteen scenarios once', () => {
    const named = CASES.flatMap(({ bench = [] }) => bench).toSorted();
    const all = Array.from({ length: 16 }, (_, nth) => `S${String(nth + 1).padStart(2, '0')}`);
    assert.deepEqual(named, all);
  });
});
