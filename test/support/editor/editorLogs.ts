import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { EditorHost } from '../../../scripts/lib/editorHost.ts';
import { TEST_RESULTS } from '../../../scripts/lib/paths.ts';

/** Where the logs of a run of the end-to-end tests are kept. */
export const LOGS = join(TEST_RESULTS, 'logs', 'e2e');

/** All that an editor has written down: its pages' consoles, what its server printed, and its log files. */
export class EditorLogs {
  readonly #host: EditorHost;
  readonly #console: string[] = [];

  constructor(host: EditorHost) {
    this.#host = host;
  }

  follow(page: Page): void {
    page.on('console', (message) => this.#console.push(`${message.type()} ${message.text()}`));
    page.on('pageerror', (error) => this.#console.push(`error ${error.stack ?? error.message}`));
  }

  /** As one text, for a test that asserts what is not in it. */
  async text(): Promise<string> {
    const files = await this.#files();
    const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return [...this.#console, this.#host.output, ...contents].join('\n');
  }

  /** Keeps them in `test-results/logs/e2e`. Two runs at once have editors of the same name. */
  async save(name: string): Promise<void> {
    const folder = join(LOGS, `${name}-${process.pid}`);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'page.log'), this.#console.join('\n'));
    await writeFile(join(folder, 'server.log'), this.#host.output);
    await cp(this.#folder, join(folder, 'files'), { recursive: true, force: true });
  }

  get #folder(): string {
    return join(this.#host.userFolder, 'logs');
  }

  async #files(): Promise<string[]> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  }
}
