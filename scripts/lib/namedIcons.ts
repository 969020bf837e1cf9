import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { packageFolder, ROOT } from './paths.ts';

/**
 * Adds the icons that a panel names to the styles of the icon font, of which the style sheet of codicons has seven hundred.
 * @param panel the folder of the panel; `*` for all panels.
 */
export function namedIcons(panel: string): Plugin {
  return {
    name: 'named-icons',
    setup(building): void {
      building.onLoad({ filter: /[\\/]iconFont\.css$/ }, async ({ path }) => {
        const names = new Set<string>();
        for await (const file of glob(`src/panels/{${panel},shared}/**/*.{ts,tsx}`, { cwd: ROOT })) {
          const words = (await readFile(join(ROOT, file), 'utf8')).matchAll(/['"]([a-z]+(?:-[a-z]+)*)['"]/g);
          for (const [, word = ''] of words) names.add(word);
        }
        const icons = await readFile(join(packageFolder('@vscode/codicons'), 'dist', 'codicon.css'), 'utf8');
        const rules = [...icons.matchAll(/^\.codicon-([a-z-]+):before \{.+\}$/gm)];
        const named = rules.flatMap(([rule, name = '']) => (names.has(name) ? [rule] : []));
        return { contents: [await readFile(path, 'utf8'), ...named].join('\n'), loader: 'css' };
      });
    },
  };
}
