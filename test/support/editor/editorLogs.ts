import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { EditorHost } from '../../../scripts/lib/editorHost.ts';
import { TEST_RESULTS } from '../../../scripts/lib/paths.ts';

/** Folder for the logs of the end-to-end tests. */
export const LOGS = join(TEST_RESULTS, 'logs', 'e2e');

/** All logs of an editor: the consoles of its pages, the output of its server, and its log files. */
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

  /** Returns the logs as one text, for tests that assert what is not in it. */
  async text(): Promise<string> {
    const files = await this.#files();
    const contents = await Promise.all(files.map((file) => readFile(file, 'utf8')));
    return [...this.#console, this.#host.output, ...contents].join('\n');
  }

  /** Saves the logs in `test-results/logs/e2e`. Concurrent runs have editors of the same name. */
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
