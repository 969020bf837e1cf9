import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalog } from '../../../src/sandbox/catalog.ts';
import type { Model } from '../../../src/service/modelCatalog.ts';
import { hourCost } from '../../../src/suggestions/suggestionModel.ts';
import { urgencyAt } from '../../../src/suggestions/text/occasion.ts';
import { Rhythm } from '../../../src/suggestions/text/rhythm.ts';
import { TYPISTS, type TypedKey, typingSession } from '../../support/typingSessions.ts';
import { randomFrom } from '../gateway/bill/audit.ts';

const SOURCE = readFileSync(join(import.meta.dirname, '../../fixtures/workspace/src/session.ts'), 'utf8');
/** The time until a fast model has answered: a median of 600 ms. */
const ANSWER_MS = 600;
/** The share of suggestions that are right, so that typing goes on along them. */
const RIGHT = 0.3;

interface Requests {
  readonly sent: number;
  readonly answered: number;
}

/** Replays a session with the rules by which the editor's provider asks. */
function replay(keys: readonly TypedKey[]): Requests {
  const rhythm = new Rhythm();
  const random = randomFrom(5);
  let [sent, answered, alongUntil] = [0, 0, -1];
  let before = '';
  for (const [index, { at, key }] of keys.entries()) {
    before = key === '\b' ? before.slice(0, -1) : before + key;
    rhythm.key(at);
    if (index <= alongUntil) continue;
    const place = { path: 'session.ts', languageId: 'typescript', before, after: '\n' };
    const urgency = urgencyAt(place, { inComments: false });
    if (urgency === undefined) continue;
    const next = keys[index + 1]?.at ?? Number.POSITIVE_INFINITY;
    const asksAt = at + rhythm.waitFor(urgency, at);
    if (asksAt >= next) continue;
    rhythm.request(asksAt);
    sent += 1;
    if (asksAt + ANSWER_MS * (0.7 + 0.6 * random()) >= next) continue;
    answered += 1;
    if (random() < RIGHT) alongUntil = index + 20;
  }
  return { sent, answered };
}

const PAGE = new URL('../../../docs/inline-suggestions.md', import.meta.url);

/** Replaces the part of the page between two comments. */
function withPart(page: string, name: string, lines: readonly string[]): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [before = '', rest = ''] = page.split(start);
  return [before, start, '\n', lines.join('\n'), '\n', end, rest.split(end)[1] ?? ''].join('');
}

function typingTable(): string[] {
  const rows = Object.entries(TYPISTS).map(([typist, habits]) => {
    const keys = typingSession(SOURCE, habits);
    const minutes = (keys.at(-1)?.at ?? 0) / 60_000;
    const { sent, answered } = replay(keys);
    const name = `One ${typist}`;
    return `| ${name} | ${Math.round(keys.length / minutes)} | ${(sent / minutes).toFixed(1)} | ${Math.round((100 * answered) / sent)}% |`;
  });
  return [
    '| Typist | Keys a minute | Requests a minute | Answered before the next key |',
    '|---|---|---|---|',
    ...rows,
  ];
}

function costTable(): string[] {
  const rows = catalog
    .map(({ id, price }) => ({ id, cost: hourCost(priced(id, price.input, price.output), 1500) ?? 0 }))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ id, cost }) => `| \`${id}\` | $${cost.toFixed(2)} |`);
  return ['| Model | An hour of typing |', '|---|---|', ...rows];
}

function priced(id: string, inputPrice: number, outputPrice: number): Model {
  return { id, inputPrice, outputPrice, raw: undefined };
}

describe('docs/inline-suggestions.md', () => {
  it('has the figures of typing and of costs', async () => {
    const written = await readFile(PAGE, 'utf8');
    const page = withPart(withPart(written, 'typing', typingTable()), 'costs', costTable());
    if (process.env.UPDATE_PAGES === '1') await writeFile(PAGE, page);
    else assert.equal(written, page, 'docs/inline-suggestions.md is out of date. Run this test with UPDATE_PAGES=1.');
  });
});

describe('requests for suggestions while a person types', () => {
  for (const [typist, habits] of Object.entries(TYPISTS)) {
    it(`are at most 15 a minute, most of them answered before the next key, for one ${typist}`, () => {
      const keys = typingSession(SOURCE, habits);
      const minutes = (keys.at(-1)?.at ?? 0) / 60_000;
      const { sent, answered } = replay(keys);
      const figures = `${(sent / minutes).toFixed(1)} a minute, ${((100 * answered) / sent).toFixed(0)}% answered, ${(keys.length / minutes).toFixed(0)} keys a minute`;
      assert.ok(sent / minutes <= 15, figures);
      assert.ok(answered / sent >= 0.6, figures);
      // Suggestions that hardly ever come would be no use either.
      assert.ok(answered / minutes >= 2.5, figures);
    });
  }
});
