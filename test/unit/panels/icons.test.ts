import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const PANELS = join(import.meta.dirname, '../../../src/panels');
const styles = readFileSync(createRequire(import.meta.url).resolve('@vscode/codicons/dist/codicon.css'), 'utf8');

describe('the panel icons', () => {
  it('are in the icon font, as the build expects its styles', () => {
    const known = new Set([...styles.matchAll(/^\.codicon-([a-z-]+):before \{.+\}$/gm)].map(([, name]) => name));
    assert.ok(known.size > 500);
    const sources = globSync('**/*.{ts,tsx}', { cwd: PANELS }).map((path) => readFileSync(join(PANELS, path), 'utf8'));
    const named = sources.flatMap((source) =>
      [...source.matchAll(/<Icon[^>]*?name="([a-z-]+)"|icon[=:]\s*["']([a-z-]+)["']/g)].map(
        (match) => match[1] ?? match[2],
      ),
    );
    assert.ok(named.length > 50);
    assert.deepEqual(
      named.filter((name) => !known.has(name)),
      [],
    );
  });
});
