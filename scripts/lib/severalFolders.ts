import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The committed contents of each folder, by path. */
const COMMITTED: Readonly<Record<string, string>> = {
  'web/.gitignore': '*.log\n',
  'web/src/page.ts': 'export const page = "web";\n',
  'web/.model-access/prompts/explain.md': 'Explain as web does.\n',
  'web/.model-access/prompts/of-web.md': 'Say something of the web.\n',
  'api/src/page.ts': 'export const page = "api";\n',
  'api/src/server.ts': 'export const server = 1;\n',
  'api/.model-access/prompts/explain.md': 'Explain as api does.\n',
  'api/.model-access/prompts/of-api.md': 'Say something of the api.\n',
};
const CHANGED: Readonly<Record<string, string>> = {
  'web/src/page.ts': 'export const page = "changed in web";\n',
  'api/src/page.ts': 'export const page = "changed in api";\n',
};

/**
 * Creates the folders that `test/host/severalFolders.test.ts` opens: the Git repositories `several/web` and
 * `several/api`, of which the second one has a remote, and is on a branch of its own.
 */
export async function makeSeveralFolders(parent: string): Promise<void> {
  const root = join(parent, 'several');
  await writeAll(root, COMMITTED);
  for (const name of ['web', 'api']) {
    git(join(root, name), 'init', '--quiet');
    git(join(root, name), 'add', '.');
    git(join(root, name), 'commit', '--quiet', '--message', 'Begin');
  }
  git(join(root, 'api'), 'checkout', '--quiet', '-b', 'feature/totals');
  git(join(root, 'api'), 'remote', 'add', 'origin', 'https://mara:secret@git.example.com/orchard/api.git');
  await writeAll(root, CHANGED);
}

async function writeAll(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

function git(folder: string, ...args: readonly string[]): void {
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], { cwd: folder });
}
