import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DIST, ROOT } from './paths.ts';

/** Kilobytes of minified files and of the package, from section 7 of the design. */
interface Budget {
  readonly name: string;
  readonly files: readonly string[];
  readonly kilobytes: number;
}

const BUDGETS: readonly Budget[] = [
  { name: 'extension', files: ['extension.js'], kilobytes: 250 },
  { name: 'chat panel', files: ['panels/chat.js', 'panels/chat.css'], kilobytes: 300 },
];

const PACKAGE_KILOBYTES = 2500;

/**
 * Prints the sizes of the production build.
 *
 * @throws Error when one is over its budget.
 */
export async function checkBuild(): Promise<void> {
  for (const { name, files, kilobytes } of BUDGETS) {
    await check(
      name,
      files.map((file) => join(DIST, file)),
      kilobytes,
    );
  }
}

export async function checkPackage(vsix: string): Promise<void> {
  await check(relative(ROOT, vsix), [vsix], PACKAGE_KILOBYTES);
}

async function check(name: string, files: readonly string[], budget: number): Promise<void> {
  const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
  const size = sizes.reduce((sum, one) => sum + one, 0) / 1000;
  const line = `${name}: ${size.toFixed(0)} KB of ${budget} KB`;
  if (size > budget) throw new Error(`${line}. The budget is exceeded.`);
  console.log(`  ${line}`);
}
