import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PANELS = join(import.meta.dirname, '../../../src/panels');
const ours = readFileSync(join(PANELS, 'shared/styles/icons.css'), 'utf8');
const theirs = readFileSync(createRequire(import.meta.url).resolve('@vscode/codicons/dist/codicon.css'), 'utf8');

function glyphs(css: string): Map<string, string> {
  const rules = css.matchAll(/\.codicon-([a-z-]+)::?before\s*\{\s*content:\s*"(\\[0-9a-f]+)"/g);
  return new Map([...rules].map(([, name = '', glyph = '']) => [name, glyph]));
}

describe('the panel icons', () => {
  const known = glyphs(theirs);
  const defined = glyphs(ours);

  it('match the style sheet of the icon font', () => {
    assert.ok(defined.size > 20);
    for (const [name, glyph] of defined) assert.equal(glyph, known.get(name), name);
  });

  it('are all defined, and all definitions are used', () => {
    const sources = globSync('**/*.{ts,tsx}', { cwd: PANELS }).map((path) => readFileSync(join(PANELS, path), 'utf8'));
    const words = new Set(sources.flatMap((source) => source.match(/(?<=['"])[a-z]+(?:-[a-z]+)*(?=['"])/g) ?? []));
    const named = sources.flatMap((source) =>
      [...source.matchAll(/<Icon[^>]*?name="([a-z-]+)"|icon[=:]\s*["']([a-z-]+)["']/g)].map(
        (match) => match[1] ?? match[2] ?? '',
      ),
    );
    assert.deepEqual(
      named.filter((name) => !defined.has(name)),
      [],
    );
    assert.deepEqual(
      [...defined.keys()].filter((name) => !words.has(name)),
      [],
    );
  });
});
