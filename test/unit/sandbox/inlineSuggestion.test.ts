import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suggestInline } from '../../../src/sandbox/inlineSuggestion.ts';
import { requestFor } from '../../../src/suggestions/prompt.ts';
import { urgencyAt } from '../../../src/suggestions/text/occasion.ts';
import { SuggestionReader } from '../../../src/suggestions/text/suggestion.ts';

const SAMPLE = join(import.meta.dirname, '../../fixtures/workspace');
const FILES = ['src/quote.ts', 'src/parcel.ts', 'src/session.ts', 'test/quote.test.ts'] as const;
/** What a person may begin to write in a new line. */
const BEGUN = ['', 'const ', 'if (', 'return ', 'for (', 'let ', 'import '];

interface Place {
  readonly path: string;
  readonly languageId: string;
  readonly before: string;
  readonly after: string;
}

/** The cursor in a new line below each line of a file, after what was written there. */
function* placesIn(path: string): Generator<Place> {
  const lines = readFileSync(join(SAMPLE, path), 'utf8').split('\n');
  for (const [index, line] of lines.entries()) {
    const [above = '', below = ''] = [lines.slice(0, index + 1).join('\n'), lines.slice(index + 1).join('\n')];
    const indent = /^\s*/.exec(/[{(]$/.test(line) ? `${line.match(/^\s*/)?.[0]}  ` : line)?.[0] ?? '';
    for (const begun of BEGUN)
      yield { path, languageId: 'typescript', before: `${above}\n${indent}${begun}`, after: `\n${below}` };
  }
}

function shownAt(place: Place): string | undefined {
  const answer = suggestInline(requestFor({ place, related: [] }, 'm', false));
  const reader = new SuggestionReader(place, { isFilledIn: false, markers: [] });
  reader.push(answer ?? '');
  const shown = reader.end(false);
  return shown === undefined ? undefined : JSON.stringify(shown);
}

describe('suggestions of the sandbox', () => {
  for (const path of FILES) {
    it(`are there wherever somebody writes in ${path}`, () => {
      const asked = [...placesIn(path)].filter((place) => urgencyAt(place, { inComments: false }) !== undefined);
      const silent = asked.filter((place) => shownAt(place) === undefined);
      assert.ok(asked.length > 90 && silent.length <= 2, silent.map(({ before }) => before.slice(-60)).join('\n---\n'));
    });
  }

  it('are there for its text, too, and nowhere in other folders', () => {
    const before = readFileSync(join(SAMPLE, 'README.md'), 'utf8');
    const place = { languageId: 'markdown', before: `${before}\n`, after: '' };
    assert.match(shownAt({ ...place, path: 'README.md' }) ?? '', /Run the tests/);
    assert.equal(
      shownAt({ path: 'lib/main.go', languageId: 'go', before: 'func main() {\n\t', after: '\n}' }),
      undefined,
    );
  });
});
