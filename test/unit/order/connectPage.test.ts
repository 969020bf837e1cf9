/** The page that connects a tool, in any order of what people do on it and of what is awaited. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { LocalKeyStore } from '../../../src/editor/gateway/localKeyStore.ts';
import { ConnectPage } from '../../../src/editor/tools/connectPage/connectPage.ts';
import { ToolConnections } from '../../../src/editor/tools/toolConnections.ts';
import type { ConnectPageMessage } from '../../../src/pages/connectTool/connectMessages.ts';
import type { ConnectForm, ConnectHostMessage } from '../../../src/pages/connectTool/protocol.ts';
import { TOOLS } from '../../../src/tools/toolList.ts';
import { AnyOrder, type Step } from '../../support/anyOrder.ts';
import { EditorPage } from '../../support/editorApi/editorPage.ts';
import { Disposable, Uri, window } from '../../support/editorApi/vscode.ts';
import { memorySecrets, memoryState } from '../../support/memorySecrets.ts';
import { schedules } from '../../support/randomRuns.ts';

type Action =
  | 'connect'
  | 'connect again'
  | 'connect twice'
  | 'disconnect'
  | 'preview'
  | 'preview another'
  | 'rotate'
  | 'close'
  | 'open';

const ACTIONS: readonly Action[] = [
  ...([
    'connect',
    'connect',
    'connect again',
    'connect twice',
    'disconnect',
    'preview',
    'preview another',
    'rotate',
    'close',
    'open',
  ] as const),
];
const ORIGINAL = 'model = "mine"\n';
/** A tool whose preview takes less time, because it has no file. */
const WITHOUT_FILE = TOOLS.find(({ configuration }) => configuration === undefined)?.id ?? assert.fail();
const never = () => Disposable.from();
class Page extends EditorPage<ConnectHostMessage, ConnectPageMessage> {}

/** A window with the page, Codex's file, and what the extension keeps of the tool. */
class Window {
  readonly localKeys: LocalKeyStore;
  readonly connections: ToolConnections;
  readonly pages: Page[] = [];
  readonly problems: string[] = [];
  readonly #page: ConnectPage;
  /** The number of the last preview that the page has asked for. */
  #previews = 0;
  /** How often a button was pressed. A double click counts once. */
  #clicks = 0;

  constructor(order: AnyOrder, folder: string) {
    const log = {
      warn: () => undefined,
      error: (what: string, error: unknown) => this.problems.push(`${what}: ${error}`),
    };
    this.localKeys = new LocalKeyStore(memorySecrets(order.delay) as never, log as never);
    this.connections = new ToolConnections(memoryState(order.delay) as never);
    Object.assign(window, {
      createWebviewPanel: () => {
        const page = new Page();
        this.pages.push(page);
        return page.panel;
      },
    });
    const address = 'http://127.0.0.1:8787/api/v1';
    const settings = {
      sandboxEnabled: false,
      gatewayAutoStart: false,
      gatewayPort: 8787,
      routes: {},
      writtenAliases: {},
    };
    this.#page = new ConnectPage({
      extensionUri: Uri.file(folder),
      log,
      localKeys: this.localKeys,
      toolConnections: this.connections,
      models: { state: { models: [{ id: 'small', contextWindow: 1 }] }, onDidChange: never },
      gateway: { state: { state: 'running', address }, isRunning: true, onDidChange: never },
      upstream: { isReady: async () => true, knownNames: { upstreams: [], aliases: {} } },
      worker: { onDidEnter: never, rpc: { readLedger: async () => ({ rows: [] }) } },
      settings,
      ledger: 'ledger',
      chatModel: () => 'small',
    } as never);
  }

  get page(): Page | undefined {
    return this.pages.findLast(({ isOpen }) => isOpen);
  }

  async open(): Promise<void> {
    await this.#page.open();
    await Promise.all([this.page?.send({ type: 'ready' }), this.act('preview', 0)]);
  }

  act(action: Action, number: number): unknown {
    const form = { tool: 'codex', model: 'small', name: 'Codex', budget: '', sessionDollars: '', addsAliases: false };
    const filled = { ...form, period: 'monthly' } as const;
    switch (action) {
      case 'connect':
        return this.#connect(filled);
      case 'connect again':
        return this.#connect({ ...filled, sessionDollars: `${number + 1}` });
      case 'connect twice':
        return this.#connect(filled, 2);
      case 'disconnect':
        this.#clicks += 1;
        return this.page?.send({ type: 'disconnect', tool: 'codex' });
      case 'preview':
        return this.#preview(filled);
      case 'preview another':
        return this.#preview({ ...filled, tool: WITHOUT_FILE });
      case 'rotate':
        return this.#rotate();
      case 'close':
        return this.page?.close();
      case 'open':
        return this.open();
    }
  }

  /** What the page shows when everything has ended. */
  async check(): Promise<void> {
    const keys = (await this.localKeys.read()).keys.filter(({ name }) => name === 'Codex').length;
    const isConnected = this.connections.find('codex') !== undefined;
    assert.deepEqual([keys, this.connections.all.length], isConnected ? [1, 1] : [0, 0], 'a key without a tool');
    const { page } = this;
    const tool = page?.last('state')?.state.tools.find(({ id }) => id === 'codex');
    if (tool !== undefined) assert.equal(tool.isConnected, isConnected, 'the page shows an earlier state');
    const outcomes = this.pages.flatMap(({ received }) => received.filter(({ type }) => type === 'outcome'));
    assert.ok(outcomes.length <= this.#clicks, 'a double click did the work twice');
    for (const { received } of this.pages) {
      const numbers = received.flatMap((message) => (message.type === 'preview' ? [message.number] : []));
      assert.deepEqual(
        numbers,
        numbers.toSorted((one, other) => one - other),
        'an earlier preview replaced a later one',
      );
    }
  }

  dispose(): void {
    this.page?.close();
    this.localKeys.dispose();
    this.connections.dispose();
  }

  /** The button works once the page shows the file of the form. */
  async #connect(form: ConnectForm, times = 1): Promise<void> {
    const { page } = this;
    const shown = page?.last('preview');
    if (page === undefined || shown?.number !== this.#previews || !shown.preview.file) return;
    this.#clicks += 1;
    await Promise.all(Array.from({ length: times }, () => page.send({ type: 'connect', form })));
  }

  #preview(form: ConnectForm): unknown {
    this.#previews += 1;
    return this.page?.send({ type: 'preview', number: this.#previews, form });
  }

  async #rotate(): Promise<void> {
    const key = (await this.localKeys.read()).keys.find(({ name }) => name === 'Codex');
    if (key !== undefined) await this.localKeys.rotate(key.id);
  }
}

describe('the page that connects a tool, in any order of what is done and awaited', () => {
  const earlier = { ...window };
  const { PATH, CODEX_HOME } = process.env;
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'connect-page-'));
    file = join(folder, 'config.toml');
    const panels = join(folder, 'dist', 'panels');
    await mkdir(panels, { recursive: true });
    for (const name of ['connectTool.js', 'connectTool.css']) await writeFile(join(panels, name), '');
    Object.assign(process.env, { PATH: folder, CODEX_HOME: folder });
  });
  afterEach(async () => {
    Object.assign(process.env, { PATH, CODEX_HOME });
    if (CODEX_HOME === undefined) delete process.env.CODEX_HOME;
    Object.assign(window, earlier);
    await rm(folder, { recursive: true });
  });

  it('connects once, shows what is so, and leaves nothing behind', async () => {
    const actions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 2, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, async (scheduler, done) => {
        const order = new AnyOrder(scheduler);
        await writeFile(file, ORIGINAL);
        const here = new Window(order, folder);
        const finished = async (steps: readonly Step[]) => {
          order.plan(steps);
          await order.run();
        };
        await finished([{ what: 'open', act: () => here.open() }]);
        await finished(done.map((action, number): Step => ({ what: action, act: () => here.act(action, number) })));
        // A key that was revoked meanwhile cannot be rotated.
        for (const problem of [...here.problems, ...order.errors]) assert.match(String(problem), /no longer exists/);
        await finished([{ what: 'check', act: () => here.check() }]);
        assert.deepEqual(
          order.errors.filter((error) => error instanceof assert.AssertionError),
          [],
        );
        await finished([
          { what: 'open', act: () => here.open() },
          { what: 'disconnect', act: () => here.act('disconnect', 0) },
        ]);
        assert.deepEqual([here.connections.all, await readFile(file, 'utf8')], [[], ORIGINAL]);
        here.dispose();
      }),
      { numRuns: schedules(30) },
    );
  });
});
