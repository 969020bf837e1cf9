import { copyFile, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { cachedFolder } from './cache.ts';
import { fetchPackage } from './npmPackage.ts';
import { runNpm } from './processes.ts';
import { step } from './progress.ts';

/** Contains VS Code 1.139, the real workbench and extension host, served to a browser. */
const EDITOR_VERSION = '4.139.1';

/** Changes when the steps below change, so that an older installation is replaced. */
const RECIPE = '1';
const PARTS = ['.', 'lib/vscode', 'lib/vscode/extensions'];
const FEW = [
  'configuration-editing',
  'git',
  'git-base',
  'json',
  'json-language-features',
  'javascript',
  'markdown-basics',
  'markdown-language-features',
  'node_modules',
  'theme-defaults',
  'theme-seti',
  'typescript-basics',
];
const INSTALL = ['install', '--omit=dev', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'];

/**
 * Downloads the editor host if it is not there yet (about 30 seconds and 600 MB). Nothing is compiled, so neither a
 * compiler nor headers are needed.
 *
 * @returns the script that starts it.
 */
export async function installEditor(): Promise<string> {
  const folder = await cachedFolder(`code-server-${EDITOR_VERSION}`, RECIPE, fill);
  return join(folder, 'host', 'out', 'node', 'entry.js');
}

/**
 * Returns the folder with those built-in extensions that the suites need. Without the others, such as language servers,
 * starting an editor takes a fifth less work.
 *
 * @param others the names of further ones.
 */
export async function fewExtensions(...others: readonly string[]): Promise<string> {
  await installEditor();
  const names = [...FEW, ...others];
  return cachedFolder(['few-extensions', EDITOR_VERSION, ...others].join('-'), names.join(' '), async (folder) => {
    for (const name of names) {
      const extension = join('..', `code-server-${EDITOR_VERSION}`, 'host', 'lib', 'vscode', 'extensions', name);
      await symlink(
        process.platform === 'win32' ? resolve(folder, extension) : extension,
        join(folder, name),
        'junction',
      );
    }
  });
}

async function fill(folder: string): Promise<void> {
  const host = await step(`Getting the editor (code-server ${EDITOR_VERSION}, about 45 MB, once)`, () =>
    fetchPackage(`code-server@${EDITOR_VERSION}`, folder, 'host'),
  );
  for (const [index, part] of PARTS.entries()) {
    await step(`Getting the packages of the editor, part ${index + 1} of ${PARTS.length}`, () =>
      runNpm([...INSTALL, '--loglevel', 'error'], { cwd: join(host, part), env: withoutNpmContext() }),
    );
  }
  await copyFile(
    join(import.meta.dirname, 'plainLogger.cjs'),
    join(host, 'lib/vscode/node_modules/@vscode/spdlog/index.js'),
  );
}

/**
 * Returns the environment without npm's variables, which in an npm script refer to this project instead of the editor.
 */
function withoutNpmContext(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^npm_(config_local_prefix|package|lifecycle)/.test(name),
  );
  return Object.fromEntries(kept);
}
