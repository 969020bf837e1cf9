import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Locator } from 'playwright-core';
import { eventually } from '../eventually.ts';
import type { Editor } from './editor.ts';
import { filesWith } from './files.ts';
import { TrafficTab } from './trafficTab.ts';
import { UsageTab } from './usageTab.ts';

const MAX_LOCKED_MS = 30_000;

/** A request's figures as a view shows them, with the sign of an estimate. */
export interface Figures {
  readonly outputTokens: string;
  /** Undefined if the catalog does not have the model, such as one that selects a fault of the sandbox. */
  readonly cost: string | undefined;
}

/** Returns an amount such as `≈ $0.0017`, without the zeros that sums omit. */
export function costIn(text: string): string | undefined {
  const [, sign = '', amount] = /(≈\s*)?(?:sample )?\$(\d+\.\d+)/.exec(text) ?? [];
  return amount && `${sign.trim()}${Number(amount)}`;
}

const withoutSpaces = (text: string) => text.replace(/\s/g, '');

/** Checks that an answer that was interrupted is shown as far as it arrived, to be continued. */
export async function assertKept(answer: Locator): Promise<void> {
  await answer.getByText('Stopped', { exact: true }).waitFor();
  await answer.getByRole('button', { name: 'Continue' }).waitFor();
  assert.match(await answer.locator('.answer-body').innerText(), /^the sandbox writes plain words/);
}

/** Reads what a request cost in all places that show it. The request's model must be its own, to find its row. */
export class ShownFigures {
  readonly #editor: Editor;
  readonly #traffic: TrafficTab;
  readonly #usage: UsageTab;

  constructor(editor: Editor) {
    this.#editor = editor;
    this.#traffic = new TrafficTab(editor.page);
    this.#usage = new UsageTab(editor.page);
  }

  async inChat(answer: Locator): Promise<Figures> {
    const text = await answer.locator('.figures').innerText();
    const [, outputTokens = ''] = /((?:≈\s?)?[\d.k]+) out/.exec(text) ?? [];
    return { outputTokens: withoutSpaces(outputTokens), cost: costIn(text) };
  }

  async inTraffic(model: string): Promise<Figures> {
    const { workbench } = this.#editor;
    // A window that was closed may still be writing; the list is read when it is opened.
    await eventually(`${model} in the ledger`, async () => this.#isInLedger(model));
    await workbench.closeAllEditors();
    await workbench.runCommand('Model Access: Open Traffic');
    const row = this.#traffic.row(model).first();
    await row.waitFor();
    const cost = costIn(await row.innerText());
    await row.click();
    const output = this.#traffic.detail
      .getByRole('row', { name: /^Output/ })
      .locator('.number')
      .first();
    const outputTokens = await output.innerText();
    return { outputTokens: withoutSpaces(outputTokens), cost };
  }

  /** Waits until both the chat's file and the ledger contain what arrived before an answer stalled. */
  async whenStored(model: string, answer: Locator): Promise<void> {
    await eventually('the answer in its file and in the ledger', async () => {
      const shown = /(\d+) out/.exec(await answer.innerText())?.[1];
      if (this.#runningTokens(model) !== shown) return false;
      // The rest of the profile takes a busy machine longer to read than the answer takes.
      const folder = join(this.#editor.storage, 'conversations');
      const files = await filesWith(folder, `"outputTokens":${shown}`, ({ name }) => name.endsWith('.jsonl'));
      const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
      return texts.some((text) => text.includes(model));
    });
  }

  #runningTokens(model: string): string {
    const database = new DatabaseSync(this.#editor.ledger, { readOnly: true });
    const row = database.prepare('SELECT output_tokens FROM running WHERE model = ?').get(model);
    database.close();
    return String(row?.output_tokens);
  }

  /** Whether the ledger has the request of a model, and it has ended. The first request of a profile creates the ledger. */
  #isInLedger(model: string): boolean {
    const path = this.#editor.ledger;
    if (!existsSync(path)) return false;
    // After a process was killed, the first one to open the ledger locks it for a moment.
    const database = new DatabaseSync(path, { readOnly: true, timeout: MAX_LOCKED_MS });
    try {
      const hasTables = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'running'").get() !== undefined;
      if (!hasTables) return false;
      const isRunning = database.prepare('SELECT 1 FROM running WHERE model = ?').get(model) !== undefined;
      return !isRunning && database.prepare('SELECT 1 FROM exchanges WHERE model = ?').get(model) !== undefined;
    } finally {
      database.close();
    }
  }

  /**
   * Returns the sums of a model that was called once. Their tokens have no sign.
   * @param isEstimated whether an estimate is expected.
   */
  async inUsage(model: string, isEstimated = true): Promise<Figures> {
    const { workbench } = this.#editor;
    await workbench.closeAllEditors();
    await workbench.runCommand('Model Access: Open Usage');
    await this.#usage.waitUntilRead();
    const cells = async () => (await this.#usage.rows('Models')).find(([name]) => name === model);
    await eventually(`${model} in the usage`, async () => (await cells()) !== undefined);
    const [, requests, , outputTokens = '', ...others] = (await cells()) ?? [];
    assert.equal(requests, '1');
    return { outputTokens: `${isEstimated ? '≈' : ''}${outputTokens}`, cost: costIn(others.at(-1) ?? '') };
  }

  /**
   * Checks that an estimate is the same in the Traffic and the Usage view.
   * @param inTraffic what the Traffic view shows, if it was read before.
   */
  async assertSame(model: string, expected: Figures, inTraffic?: Figures): Promise<void> {
    assert.match(expected.outputTokens, /^≈[1-9]/);
    assert.notEqual(expected.cost, undefined, JSON.stringify(expected));
    const shown = { traffic: inTraffic ?? (await this.inTraffic(model)), usage: await this.inUsage(model) };
    assert.deepEqual(shown, { traffic: expected, usage: expected });
    await this.#editor.workbench.closeAllEditors();
  }
}
