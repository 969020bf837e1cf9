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
import { Disposable, EventEmitter, Uri, window } from '../../support/editorApi/vscode.ts';
import { memorySecrets, memoryState } from '../../support/memorySecrets.ts';
import { runs } from '../../support/randomRuns.ts';

type Action = 'connect' | 'connect again' | 'disconnect' | 'preview' | 'preview another' | 'rotate' | 'close' | 'open';

const ACTIONS: readonly Action[] = [
  ...([
    'connect',
    'connect',
    'connect again',
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

/** The page in the editor: what it has received, and what it can send. */
class Page {
  readonly received: ConnectHostMessage[] = [];
  readonly #closed = new EventEmitter<void>();
  isOpen = true;
  /** Resolves when the host has done what the message asks for. */
  send: (message: ConnectPageMessage) => Promise<unknown> = async () => assert.fail('Nobody listens.');

  readonly panel = {
    webview: {
      onDidReceiveMessage: (listener: typeof this.send) => {
        this.send = async (message) => (this.isOpen ? listener(message) : undefined);
        return never();
      },
      postMessage: async (message: ConnectHostMessage) => this.received.push(message),
      asWebviewUri: (uri: Uri) => uri,
    },
    onDidDispose: this.#closed.event,
    reveal: () => undefined,
    dispose: () => this.close(),
  };

  close(): void {
    this.isOpen = false;
    this.#closed.fire();
  }

  last<Type extends ConnectHostMessage['type']>(type: Type): Extract<ConnectHostMessage, { type: Type }> | undefined {
    return this.received.findLast((message) => message.type === type) as never;
  }
}

/** A window with the page, Codex's file, and what the extension keeps of the tool. */
class Window {
  readonly localKeys: LocalKeyStore;
  readonly connections: ToolConnections;
  readonly pages: Page[] = [];
  readonly problems: string[] = [];
  readonly #page: ConnectPage;
  /** The number of the last preview that the page has asked for. */
  #previews = 0;

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
      case 'disconnect':
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
  async #connect(form: ConnectForm): Promise<void> {
    const shown = this.page?.last('preview');
    if (shown?.number === this.#previews && shown.preview.file) await this.page?.send({ type: 'connect', form });
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
      { numRuns: runs(30) },
    );
  });
});
