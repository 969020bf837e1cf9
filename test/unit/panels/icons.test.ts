import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PANELS = join(import.meta.dirname, '../../../src/panels');
const ours = readFileSync(join(PANELS, 'shared/styles/icons.css'), 'utf8');
const ofRoutes = readFileSync(join(PANELS, 'routes/styles/icons.css'), 'utf8');
const theirs = readFileSync(createRequire(import.meta.url).resolve('@vscode/codicons/dist/codicon.css'), 'utf8');

function glyphs(css: string): Map<string, string> {
  const rules = css.matchAll(/\.codicon-([a-z-]+)::?before\s*\{\s*content:\s*"(\\[0-9a-f]+)"/g);
  return new Map([...rules].map(([, name = '', glyph = '']) => [name, glyph]));
}

/** Compares the icons of a style sheet with the names in the sources. */
function faultsOf(defined: ReadonlyMap<string, string>, pattern: string) {
  const sources = globSync(pattern, { cwd: PANELS }).map((path) => readFileSync(join(PANELS, path), 'utf8'));
  const words = new Set(sources.flatMap((source) => source.match(/(?<=['"])[a-z]+(?:-[a-z]+)*(?=['"])/g) ?? []));
  const named = sources.flatMap((source) =>
    [...source.matchAll(/<Icon[^>]*?name="([a-z-]+)"|icon[=:]\s*["']([a-z-]+)["']/g)].map(
      (match) => match[1] ?? match[2] ?? '',
    ),
  );
  return {
    missing: named.filter((name) => !defined.has(name)),
    unused: [...defined.keys()].filter((name) => !words.has(name)),
  };
}

describe('the panel icons', () => {
  const known = glyphs(theirs);
  const defined = glyphs(ours);

  it('match the style sheet of the icon font', () => {
    assert.ok(defined.size > 20);
    for (const [name, glyph] of defined) assert.equal(glyph, known.get(name), name);
  });

  it('are all defined, and all definitions are used', () => {
    assert.deepEqual(faultsOf(defined, '**/*.{ts,tsx}'), { missing: [], unused: [] });
  });

  it('are all defined, and all definitions are used, on the page with its own list', () => {
    const own = glyphs(ofRoutes);
    for (const [name, glyph] of own) assert.equal(glyph, known.get(name), name);
    assert.deepEqual(faultsOf(own, 'routes/**/*.{ts,tsx}'), { missing: [], unused: [] });
  });
});
