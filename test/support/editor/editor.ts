import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { EditorHost } from '../../../scripts/lib/editorHost.ts';
import type { Settings } from '../../../scripts/lib/editorSettings.ts';
import { EXTENSIONS_VARIABLE } from '../../../scripts/lib/installedExtension.ts';
import { TEST_RESULTS } from '../../../scripts/lib/paths.ts';
import { run } from '../../../scripts/lib/processes.ts';
import { copySampleWorkspace } from '../../../scripts/lib/sampleWorkspace.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { eventually } from '../eventually.ts';
import { sharedBrowser } from '../sharedBrowser.ts';
import type { ChatPanel } from './chatPanel.ts';
import { EditorLogs } from './editorLogs.ts';
import { EditorWindow, type WindowSurroundings } from './editorWindow.ts';
import { isInSavedState } from './savedState.ts';
import { WindowDrivers } from './windowDriver.ts';
import type { Workbench } from './workbench.ts';

/** The editor's own names of its themes. */
const THEMES = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high contrast': 'Default High Contrast',
  'high contrast light': 'Default High Contrast Light',
} as const;

const MAX_WAIT_MS = 30_000;

interface EditorOptions {
  /** Names the logs in `test-results`. */
  readonly name: string;
  readonly settings?: Settings;
  /** Files of the workspace beside the sample's, by their path in it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly theme?: keyof typeof THEMES;
  /** Size of the window in pixels; 1280 by 800 without it. */
  readonly width?: number;
  readonly height?: number;
  /** Device pixels for each of them; 1 without it. */
  readonly scale?: number;
  /** Asks whether the folder is trusted, as the desktop does. */
  readonly workspaceTrust?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Starts the editor with all of its own extensions, such as the servers of languages and the agent. */
  readonly hasAllExtensions?: boolean;
  /** Lays files into the extension's global storage before the editor starts. */
  readonly prepareStorage?: (folder: string) => void;
}

const open = new Set<Editor>();

/** Opens a fresh editor with the packaged extension, a profile of its own and a copy of the sample workspace. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const undo = new AsyncDisposableStack();
  try {
    const folder = await temporaryFolder();
    undo.defer(() => folder.remove());
    const workspace = await copySampleWorkspace(folder.path);
    for (const [path, text] of Object.entries(options.files ?? {})) await writeText(join(workspace, path), text);
    const userFolder = join(folder.path, 'user');
    options.prepareStorage?.(storageIn(userFolder));
    const drivers = await WindowDrivers.start();
    undo.defer(async () => drivers.stop());
    const host = await EditorHost.start({
      userFolder,
      extensionsFolder: installedExtensions(),
      hasFewExtensions: options.hasAllExtensions !== true,
      settings: { 'workbench.colorTheme': THEMES[options.theme ?? 'dark'], ...options.settings },
      ...(options.workspaceTrust !== undefined && { workspaceTrust: options.workspaceTrust }),
      env: {
        MODEL_ACCESS_TEST_DRIVER: String(drivers.port),
        CLAUDE_CONFIG_DIR: toolsIn(folder.path),
        ...options.env,
      },
    });
    undo.defer(() => host.stop());
    const context = await newContext(options);
    undo.defer(() => context.close());
    const around = { context, host, drivers, workspace, logs: new EditorLogs(host) };
    const editor = new Editor(options.name, await EditorWindow.open(around), around, folder);
    undo.move();
    return editor;
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}

/** The editors that are open now, for pictures of a test that failed. */
export function openEditors(): readonly Editor[] {
  return [...open];
}

/** A running editor and its first window. */
export class Editor {
  readonly workbench: Workbench;
  readonly chat: ChatPanel;
  readonly page: Page;
  readonly name: string;
  readonly #window: EditorWindow;
  readonly #around: WindowSurroundings;
  readonly #folder: TemporaryFolder;

  constructor(name: string, window: EditorWindow, around: WindowSurroundings, folder: TemporaryFolder) {
    this.name = name;
    this.#window = window;
    this.#around = around;
    this.#folder = folder;
    this.workbench = window.workbench;
    this.chat = window.chat;
    this.page = window.page;
    open.add(this);
  }

  get workspace(): string {
    return this.#around.workspace;
  }

  get logs(): EditorLogs {
    return this.#around.logs;
  }

  /** Opens the chat panel by its command and waits until it is drawn. */
  async openChat(): Promise<ChatPanel> {
    await this.workbench.runCommand('Model Access: Open Chat');
    await this.chat.waitUntilShown();
    return this.chat;
  }

  /** Loads the window again, as Developer: Reload Window does. */
  reload(): Promise<void> {
    return this.#window.reload();
  }

  /** As a crash of the extension host would; the window goes on, and starts another. Not on Windows. */
  async killExtensionHosts(): Promise<void> {
    await this.#host.killExtensionHosts();
    await this.#window.takeDriver();
  }

  /** A served editor keeps its state in the browser, and writes it down only every few seconds. */
  async waitForSavedState(text: string): Promise<void> {
    await eventually(`saved state with “${text}”`, () => isInSavedState(this.page, text));
  }

  /** The extension's global storage. */
  get storage(): string {
    return storageIn(this.#host.userFolder);
  }

  /** Where Claude Code has its configuration; there is no such folder at first. */
  get toolsFolder(): string {
    return toolsIn(this.#folder.path);
  }

  /** The files of the profile, without the installed extensions, that hold a text; with a name, only those of it. */
  async profileFilesWith(text: string, name?: string): Promise<string[]> {
    const entries = await readdir(this.#host.userFolder, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile() && entry.name === (name ?? entry.name))
      .map((entry) => join(entry.parentPath, entry.name));
    const found = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])));
    return found.flat();
  }

  /** Opens another window on the same profile and folder. */
  openWindow(language?: string): Promise<EditorWindow> {
    return EditorWindow.open(this.#around, language);
  }

  /** Changes settings of the person while the editor runs, and waits until the extensions of the window have them. */
  changeSettings(changes: Settings): Promise<void> {
    return this.workbench.driver.configure(changes);
  }

  /** Lays files into the workspace, by their paths in it, until `removeFiles`. */
  async addFiles(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) await writeText(join(this.workspace, path), text);
  }

  async removeFiles(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(join(this.workspace, path), { recursive: true, force: true });
  }

  /** Makes the workspace a repository, and stages one of its files. `.git` is to be removed again. */
  async stageInGit(path: string): Promise<void> {
    await run('git', ['init', '-q'], { cwd: this.workspace });
    await run('git', ['add', path], { cwd: this.workspace });
  }

  /** Saves a picture of the window, where somebody has asked for pictures by `SCREENSHOTS=1`. */
  async screenshot(name: string): Promise<void> {
    if (process.env.SCREENSHOTS === '1') await this.keepPicture(name);
  }

  /** Saves a picture of the window in `test-results/screenshots`. */
  async keepPicture(name: string): Promise<void> {
    const path = join(TEST_RESULTS, 'screenshots', `${fileName(name)}.png`);
    await this.page.screenshot({ path, animations: 'disabled' });
  }

  /** Keeps the logs and ends everything that belongs to this editor. */
  async close(): Promise<void> {
    open.delete(this);
    await this.#around.context.close();
    await this.#host.stop();
    this.#around.drivers.stop();
    await this.logs.save(fileName(this.name));
    await this.#folder.remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #host(): EditorHost {
    return this.#around.host;
  }
}

async function newContext({ width = 1280, height = 800, scale = 1 }: EditorOptions): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    // What moves is not clicked before it stands still, which is most of the time that a command takes.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(MAX_WAIT_MS);
  return context;
}

function storageIn(userFolder: string): string {
  return join(userFolder, 'User', 'globalStorage', 'model-access.model-access');
}

function installedExtensions(): string {
  const folder = process.env[EXTENSIONS_VARIABLE];
  if (folder === undefined) throw new Error('Run this by “npm run test:e2e”: it packages and installs the extension.');
  return folder;
}

/** A test that connects a tool never changes that of the person who runs it. */
function toolsIn(folder: string): string {
  return join(folder, 'tools');
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function fileName(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
