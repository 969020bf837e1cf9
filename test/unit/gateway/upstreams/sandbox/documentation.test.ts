import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

import { catalog } from '../../../../../src/sandbox/catalog.ts';
import { FAULTS } from '../../../../../src/sandbox/faultNames.ts';
import { usages } from '../../../../../src/sandbox/words.ts';

const page = readFileSync(new URL('../../../../../docs/sandbox.md', import.meta.url), 'utf8');

/** Returns the first cells of the table below a heading, without their backticks. */
function firstCells(heading: string): readonly string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => /^\| `([^`]+)`/.exec(row)?.[1] ?? '');
}

describe('docs/sandbox.md', () => {
  it('lists every fault, and no other', () => {
    assert.deepEqual([...firstCells('Faults')].sort(), [...FAULTS].sort());
  });

  it('lists every command, and no other', () => {
    assert.deepEqual([...firstCells('Commands')].sort(), [...usages, 'help'].sort());
  });

  it('lists every model with its limits and prices', () => {
    assert.deepEqual(
      firstCells('Models'),
      catalog.map(({ id }) => id),
    );
    for (const { id, contextWindow, maxOutputTokens, price } of catalog) {
      const figures = [contextWindow, maxOutputTokens].map((tokens) => tokens.toLocaleString('en'));
      const row = `| \`${id}\` | ${figures.join(' | ')} | ${price.input} | ${price.output} |`;
      assert.ok(page.includes(row), row);
    }
  });
});
