/** The page of a local key, in any order of what people do on it and in another window, and of what is awaited. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { LocalKeyStore } from '../../../src/editor/gateway/localKeyStore.ts';
import { KeyPage } from '../../../src/editor/localKeys/keyPage/keyPage.ts';
import type { KeyPageMessage } from '../../../src/pages/localKey/keyMessages.ts';
import type { KeyForm, KeyPageHostMessage } from '../../../src/pages/localKey/protocol.ts';
import { AnyOrder, moments, type Step } from '../../support/anyOrder.ts';
import { EditorPage } from '../../support/editorApi/editorPage.ts';
import { Disposable, Uri, window } from '../../support/editorApi/vscode.ts';
import { memorySecrets } from '../../support/memorySecrets.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action =
  | 'create'
  | 'create twice'
  | 'open'
  | 'open another'
  | 'budget'
  | 'budget and none'
  | 'limit elsewhere'
  | 'close';

const ACTIONS: readonly Action[] = [
  ...(['create', 'create twice', 'open', 'open', 'open another', 'budget', 'budget and none'] as const),
  ...(['limit elsewhere', 'close'] as const),
];
const EMPTY: KeyForm = {
  name: '',
  unit: 'usd',
  budgets: { daily: '', monthly: '', total: '' },
  lowersLimits: true,
  requestsPerMinute: '',
  parallel: '',
  tokensPerMinute: '',
  sessionDollars: '',
  patterns: '',
  secrets: 'default',
  expiry: 'never',
  date: '',
};
const never = () => Disposable.from();

class Page extends EditorPage<KeyPageHostMessage, KeyPageMessage> {
  readonly type: string;

  constructor(type: string) {
    super();
    this.type = type;
  }
}

class Person {
  readonly problems: string[] = [];
  readonly #localKeys: LocalKeyStore;
  readonly #pages: Page[] = [];
  readonly #create: KeyPage;
  readonly #change: KeyPage;
  /** What the page shows of the key that it was opened for last. */
  #shown: { readonly page: Page; readonly id: string; form: KeyForm } | undefined;
  #clicks = 0;
  /** The last daily budget that was saved, and the last limit that another window has set, by the IDs of keys. */
  readonly #budgets = new Map<string, string>();
  readonly #limits = new Map<string, number>();

  constructor(order: AnyOrder, folder: string) {
    const log = {
      warn: () => undefined,
      error: (what: string, error: unknown) => this.problems.push(`${what}: ${error}`),
    };
    this.#localKeys = new LocalKeyStore(memorySecrets(order.delay) as never, log as never);
    Object.assign(window, {
      tabGroups: { all: [], close: () => order.delay('close earlier tabs') },
      createWebviewPanel: (type: string) => {
        if (this.#page(type) !== undefined) this.problems.push('an open page is replaced');
        const page = new Page(type);
        this.#pages.push(page);
        return page.panel;
      },
    });
    const services = {
      extensionUri: Uri.file(folder),
      log,
      localKeys: this.#localKeys,
      models: { state: { models: [] }, onDidChange: never },
      gateway: { state: { state: 'running', address: 'http://127.0.0.1:8787/api/v1' }, onDidChange: never },
      settings: { gatewayPort: 8787 },
    };
    this.#create = new KeyPage(services as never, 'create');
    this.#change = new KeyPage(services as never, 'change');
  }

  do(action: Action, number: number): unknown {
    switch (action) {
      case 'create':
        return this.#createKey(number, 1);
      case 'create twice':
        return this.#createKey(number, 2);
      case 'open':
        return this.#open(0);
      case 'open another':
        return this.#open(-1);
      case 'budget':
        return this.#save(String(number + 1));
      case 'budget and none':
        return Promise.all([this.#save(String(number + 1)), this.#save('')]);
      case 'limit elsewhere':
        return this.#limit(number + 1);
      case 'close':
        return this.#shown?.page.close();
    }
  }

  /** What is true when everything has ended. */
  async check(): Promise<void> {
    const { keys } = await this.#localKeys.read();
    assert.ok(keys.length <= 1 + this.#clicks, 'a double click has created two keys');
    for (const { id, budgets = [], limits } of keys) {
      const daily = budgets.find(({ period }) => period === 'daily')?.amount;
      assert.equal(String(daily ?? ''), this.#budgets.get(id) ?? '', 'the last budget was not saved');
      assert.equal(limits?.parallel, this.#limits.get(id), 'the limit of the other window was lost');
    }
    for (const { received } of this.#pages) {
      const isOpened = received.findIndex(({ type }) => type === 'edit');
      const changed = received.findIndex(({ type }) => type === 'changed');
      assert.ok(changed === -1 || (isOpened !== -1 && isOpened < changed), 'the page is told of another key');
    }
  }

  dispose(): void {
    for (const page of this.#pages) page.close();
    this.#localKeys.dispose();
  }

  async #createKey(number: number, times: number): Promise<void> {
    await this.#create.open();
    const page = this.#page('modelAccess.createLocalKey');
    if (page === undefined) return;
    this.#clicks += 1;
    const form = { ...EMPTY, name: `key ${number}` };
    await Promise.all(Array.from({ length: times }, () => page.send({ type: 'create', form })));
    page.close();
  }

  #page(type: string): Page | undefined {
    return this.#pages.findLast((page) => page.isOpen && page.type === type);
  }

  /** The page is filled in when it is ready, or when it was opened for another key before. */
  async #open(place: number): Promise<void> {
    const key = (await this.#localKeys.read()).keys.at(place) ?? assert.fail();
    await this.#change.open({ key, focus: 'name' });
    const page = this.#page('modelAccess.changeLocalKey');
    if (page === undefined) return;
    if (page.last('state') === undefined) await page.send({ type: 'ready' });
    const edited = page.last('edit');
    if (edited === undefined || edited.id === this.#shown?.id) return;
    this.#shown = { page, id: edited.id, form: edited.form };
  }

  async #save(daily: string): Promise<void> {
    const shown = this.#shown;
    if (shown === undefined || !shown.page.isOpen) return;
    shown.form = { ...shown.form, budgets: { ...shown.form.budgets, daily } };
    this.#budgets.set(shown.id, daily);
    await shown.page.send({ type: 'change', form: shown.form, id: shown.id });
  }

  async #limit(parallel: number): Promise<void> {
    const key = (await this.#localKeys.read()).keys.at(0) ?? assert.fail();
    await this.#localKeys.change(key.id, key.name, { ...key, limits: { ...key.limits, parallel } }, key);
    this.#limits.set(key.id, parallel);
  }
}

describe('the page of a local key, in any order of what is done and awaited', () => {
  const earlier = { ...window };
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'key-page-'));
    const panels = join(folder, 'dist', 'panels');
    await mkdir(panels, { recursive: true });
    for (const name of ['localKey.js', 'localKey.css']) await writeFile(join(panels, name), '');
  });
  afterEach(async () => {
    Object.assign(window, earlier);
    await rm(folder, { recursive: true });
  });

  it('creates each key once, and saves what was entered last, with what another window has changed', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), moments(fc.constantFrom(...ACTIONS)), async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        const person = new Person(order, folder);
        let number = 0;
        for (const together of done) {
          const steps = together.map((action): Step => {
            number += 1;
            const at = number;
            return { what: `${action} ${at}`, act: () => person.do(action, at) };
          });
          order.plan(steps);
          await order.run();
        }
        order.plan([{ what: 'check', act: () => person.check() }]);
        await order.run();
        assert.deepEqual([person.problems, order.errors], [[], []]);
        person.dispose();
      }),
      { numRuns: schedules(100) },
    );
  });
});
