import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { DIRECT_MESSAGES } from '../../../scripts/lib/directMessages.ts';
import { EditorHost } from '../../../scripts/lib/editorHost.ts';
import type { Settings } from '../../../scripts/lib/editorSettings.ts';
import { EXTENSIONS_VARIABLE } from '../../../scripts/lib/installedExtension.ts';
import { run } from '../../../scripts/lib/processes.ts';
import { copySampleWorkspace } from '../../../scripts/lib/sampleWorkspace.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { sharedBrowser } from '../sharedBrowser.ts';
import type { ChatPanel } from './chatPanel.ts';
import { EditorLogs } from './editorLogs.ts';
import { EditorWindow, type WindowOptions, type WindowSurroundings } from './editorWindow.ts';
import { keepEvidence, keepPicture } from './evidence.ts';
import { filesWith } from './files.ts';
import { WindowDrivers } from './windowDriver.ts';
import type { Workbench } from './workbench.ts';

/** The editor's names of its themes. */
const THEMES = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high contrast': 'Default High Contrast',
  'high contrast light': 'Default High Contrast Light',
} as const;

const MAX_WAIT_MS = 30_000;

interface EditorOptions {
  /** Name of the logs in `test-results`. */
  readonly name: string;
  readonly settings?: Settings;
  /** Additional files of the workspace, by their path in it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly theme?: keyof typeof THEMES;
  /** Width of the window in pixels; 1280 by 800 by default. */
  readonly width?: number;
  readonly height?: number;
  /** Device pixels per CSS pixel; 1 by default. */
  readonly scale?: number;
  /** Asks whether a folder is trusted, as the desktop editor does. That of the first window is. */
  readonly workspaceTrust?: boolean;
  /** Starts the editor with all of its built-in extensions, such as language servers, or with the few and its agent. */
  readonly extensions?: 'all' | 'with agent';
  /** Writes files into the extension's global storage before the editor starts. */
  readonly prepareStorage?: (folder: string) => void;
}

const open = new Set<Editor>();

/** Opens a new editor with the packaged extension, its own profile, and a copy of the sample workspace. */
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
      ...(options.extensions !== 'all' && { fewExtensions: options.extensions ?? 'without agent' }),
      settings: {
        'workbench.colorTheme': THEMES[options.theme ?? 'dark'],
        // As in the desktop editor. A browser's editor saves after a second, which may be in the middle of what a test does.
        'files.autoSave': 'off',
        // The editor moves the focus when it has finished something else, such as ending a terminal.
        'workbench.quickOpen.closeOnFocusLost': false,
        // An answer that arrives word by word is drawn 60 times a second, which would take half of the CPU of a test.
        'modelAccess.sandbox.delay': 0,
        // A title is another request to the service that answers.
        'modelAccess.chat.writeTitles': false,
        ...options.settings,
      },
      ...(options.workspaceTrust !== undefined && { workspaceTrust: options.workspaceTrust }),
      env: {
        MODEL_ACCESS_TEST_DRIVER: String(drivers.port),
        CLAUDE_CONFIG_DIR: toolsIn(folder.path),
        CODEX_HOME: codexIn(folder.path),
      },
    });
    undo.defer(() => host.stop());
    const context = await newContext(options);
    undo.defer(() => context.close());
    const logs = new EditorLogs(host);
    const around = { context, host, drivers, workspace, logs };
    const window = await savingLogs(logs, options.name, () => EditorWindow.open(around));
    if (options.workspaceTrust === true) await window.workbench.trustFolder();
    const editor = new Editor(options.name, window, around, folder);
    undo.move();
    return editor;
  } catch (error) {
    await undo.disposeAsync();
    throw error;
  }
}

/** Saves the logs of an editor that cannot be opened, because its files are removed. */
async function savingLogs<T>(logs: EditorLogs, name: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    await logs.save(name);
    throw error;
  }
}

/** Returns the open editors, for pictures of a failed test. */
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

  /** Opens the chat panel with its command and waits until it is rendered. */
  async openChat(): Promise<ChatPanel> {
    await this.workbench.hideNotifications();
    await this.workbench.runCommand('Model Access: Open Chat');
    await this.chat.waitUntilShown();
    return this.chat;
  }

  /** Reloads the window, like Developer: Reload Window. */
  reload(): Promise<void> {
    return this.#window.reload();
  }

  /** Kills the extension hosts, like a crash. The window keeps running and starts new ones. Not on Windows. */
  async killExtensionHosts(): Promise<void> {
    await this.#host.killExtensionHosts();
    await this.#window.takeDriver();
  }

  /** Waits until the state of the window is saved, see {@link EditorWindow.waitForSavedState}. */
  waitForSavedState(text: string): Promise<void> {
    return this.#window.waitForSavedState(text);
  }

  /** The folder of the extension's global storage. */
  get storage(): string {
    return storageIn(this.#host.userFolder);
  }

  /** The file of the ledger, which does not exist before the first request. */
  get ledger(): string {
    return join(this.storage, 'ledger.sqlite');
  }

  /** The folder of Claude Code's configuration, which does not exist at first. */
  get toolsFolder(): string {
    return toolsIn(this.#folder.path);
  }

  /** The folder of Codex's configuration, which does not exist at first. */
  get codexFolder(): string {
    return codexIn(this.#folder.path);
  }

  /**
   * Returns the files of the profile that contain a text, except installed extensions; with a name, only files of that
   * name.
   */
  async profileFilesWith(text: string, name?: string): Promise<string[]> {
    return filesWith(this.#host.userFolder, text, (file) => file.name === (name ?? file.name));
  }

  /** Opens another window with the same profile and folder. */
  openWindow(options?: WindowOptions): Promise<EditorWindow> {
    return EditorWindow.open(this.#around, options);
  }

  /** Opens a window with the same profile and another copy of the sample workspace, whose authors are not trusted. */
  async openUntrustedWindow(
    files: Readonly<Record<string, string>>,
    options?: Pick<WindowOptions, 'language'>,
  ): Promise<EditorWindow> {
    const folder = await copySampleWorkspace(this.#folder.path, 'untrusted');
    for (const [path, text] of Object.entries(files)) await writeText(join(folder, path), text);
    const window = await this.openWindow({ ...options, folder });
    await window.page.getByText('Restricted Mode').first().waitFor();
    return window;
  }

  /** Changes user settings while the editor runs, and waits until the window's extensions have them. */
  changeSettings(changes: Settings): Promise<void> {
    return this.workbench.driver.configure(changes);
  }

  /** Writes files into the workspace, by their paths in it, until `removeFiles`. */
  async addFiles(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(files)) await writeText(join(this.workspace, path), text);
  }

  async removeFiles(...paths: readonly string[]): Promise<void> {
    for (const path of paths) await rm(join(this.workspace, path), { recursive: true, force: true });
  }

  /** Makes the workspace a repository and stages one of its files. `.git` must be removed afterward. */
  async stageInGit(path: string): Promise<void> {
    await run('git', ['init', '-q'], { cwd: this.workspace });
    await run('git', ['add', path], { cwd: this.workspace });
    // On a busy machine, the editor may not have found the new repository when a test looks at it.
    await this.workbench.driver.run('git.openRepository', this.workspace);
  }

  /** Saves a picture of the window if `SCREENSHOTS=1` is set. */
  async screenshot(name: string): Promise<void> {
    if (process.env.SCREENSHOTS === '1') await this.keepPicture(name);
  }

  /** Saves a picture of the window in `test-results/screenshots`. */
  keepPicture(name: string): Promise<void> {
    return keepPicture(this.page, name);
  }

  /** See {@link keepEvidence}. */
  keepEvidence(name: string): Promise<string> {
    return keepEvidence(this.#around.context.pages(), name);
  }

  /** Saves the logs and ends everything that belongs to this editor. */
  async close(): Promise<void> {
    open.delete(this);
    await this.#around.context.close();
    await this.#host.stop();
    this.#around.drivers.stop();
    await this.logs.save(this.name);
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
    // An element that moves is only clicked once it is still, which would take most of the time of a command.
    reducedMotion: 'reduce',
    // Compressing the workbench's 19 MB takes more CPU than sending them.
    extraHTTPHeaders: { 'accept-encoding': 'identity' },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(MAX_WAIT_MS);
  await context.addInitScript(DIRECT_MESSAGES);
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

/** Returns the folder of Claude Code's configuration: a test must not change those of the developer's own tools. */
function toolsIn(folder: string): string {
  return join(folder, 'tools');
}

function codexIn(folder: string): string {
  return join(folder, 'codex');
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
