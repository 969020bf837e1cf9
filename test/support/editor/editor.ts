import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BrowserContext, Page } from 'playwright-core';
import { EditorHost } from '../../../scripts/lib/editorHost.ts';
import { readSettings, type Settings } from '../../../scripts/lib/editorSettings.ts';
import { addExtension, EXTENSIONS_VARIABLE } from '../../../scripts/lib/installedExtension.ts';
import { TEST_RESULTS } from '../../../scripts/lib/paths.ts';
import { copySampleWorkspace } from '../../../scripts/lib/sampleWorkspace.ts';
import { type TemporaryFolder, temporaryFolder } from '../../../scripts/lib/temporaryFolder.ts';
import { ChatPanel } from './chatPanel.ts';
import { EditorLogs } from './editorLogs.ts';
import { eventually } from './eventually.ts';
import { isInSavedState } from './savedState.ts';
import { sharedBrowser } from './sharedBrowser.ts';
import { Workbench } from './workbench.ts';

/** The editor's own names of its themes. */
const THEMES = {
  dark: 'Dark Modern',
  light: 'Light Modern',
  'high contrast': 'Default High Contrast',
  'high contrast light': 'Default High Contrast Light',
} as const;

const LONGEST_WAIT_MS = 60_000;

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
  /** Lays files into the extension's global storage before the editor starts. */
  readonly prepareStorage?: (folder: string) => void;
  /** Of the editor, such as `de`. Its own words stay English without a language pack; those of extensions follow. */
  readonly language?: string;
  /** Folders of further extensions to install. */
  readonly otherExtensions?: readonly string[];
}

const open = new Set<Editor>();

/** Opens a fresh editor with the packaged extension, a profile of its own and a copy of the sample workspace. */
export async function openEditor(options: EditorOptions): Promise<Editor> {
  const folder = await temporaryFolder();
  try {
    const workspace = await copySampleWorkspace(folder.path);
    for (const [path, text] of Object.entries(options.files ?? {})) await writeText(join(workspace, path), text);
    const userFolder = join(folder.path, 'user');
    options.prepareStorage?.(storageIn(userFolder));
    const host = await EditorHost.start({
      userFolder,
      extensionsFolder: await extensionsFor(options, folder.path),
      settings: { 'workbench.colorTheme': THEMES[options.theme ?? 'dark'], ...options.settings },
      ...(options.workspaceTrust !== undefined && { workspaceTrust: options.workspaceTrust }),
      env: {
        MODEL_ACCESS_TEST_SETTINGS: changesIn(folder.path),
        CLAUDE_CONFIG_DIR: toolsIn(folder.path),
        ...options.env,
      },
    });
    return await connect(options, host, folder, workspace);
  } catch (error) {
    await folder.remove();
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
  readonly logs: EditorLogs;
  readonly workspace: string;
  readonly name: string;
  readonly #host: EditorHost;
  readonly #context: BrowserContext;
  readonly #page: Page;
  readonly #folder: TemporaryFolder;

  constructor(
    name: string,
    parts: { host: EditorHost; context: BrowserContext; page: Page; folder: TemporaryFolder; workspace: string },
    logs: EditorLogs,
  ) {
    this.name = name;
    this.workspace = parts.workspace;
    this.logs = logs;
    this.#host = parts.host;
    this.#context = parts.context;
    this.#page = parts.page;
    this.#folder = parts.folder;
    this.workbench = new Workbench(parts.page);
    this.chat = new ChatPanel(parts.page);
    open.add(this);
  }

  get page(): Page {
    return this.#page;
  }

  /** Opens the chat panel by its command and waits until it is drawn. */
  async openChat(): Promise<ChatPanel> {
    await this.workbench.runCommand('Model Access: Open Chat');
    await this.chat.waitUntilShown();
    return this.chat;
  }

  /** Loads the window again, as Developer: Reload Window does. */
  async reload(): Promise<void> {
    await this.#page.reload();
    await waitForWorkbench(this.#page, this.#host);
  }

  /** As a crash of the extension hosts would; the window goes on, and starts another. Not on Windows. */
  killExtensionHosts(): Promise<void> {
    return this.#host.killExtensionHosts();
  }

  /** A served editor keeps its state in the browser, and writes it down only every few seconds. */
  async waitForSavedState(text: string): Promise<void> {
    await eventually(`saved state with “${text}”`, () => isInSavedState(this.#page, text));
  }

  /** The extension's global storage. */
  get storage(): string {
    return storageIn(this.#host.userFolder);
  }

  /** Where Claude Code has its configuration; there is no such folder at first. */
  get toolsFolder(): string {
    return toolsIn(this.#folder.path);
  }

  /** The files of the profile, without the installed extensions, that hold a text. */
  async profileFilesWith(text: string): Promise<string[]> {
    const entries = await readdir(this.#host.userFolder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    const found = await Promise.all(files.map(async (file) => ((await readFile(file)).includes(text) ? [file] : [])));
    return found.flat();
  }

  /** Opens a second window on the same profile and folder; it has an extension host of its own. */
  async openWindow(): Promise<{ readonly workbench: Workbench; readonly chat: ChatPanel; readonly page: Page }> {
    const page = await this.#context.newPage();
    this.logs.follow(page);
    await page.goto(this.#host.address(this.workspace));
    await waitForWorkbench(page, this.#host);
    return { workbench: new Workbench(page), chat: new ChatPanel(page), page };
  }

  /**
   * Changes settings of the person while the editor runs, and waits until the extensions of the window have them. This
   * editor does not watch its settings files, and typing into them says nothing of when the change has arrived.
   */
  async changeSettings(changes: Settings): Promise<void> {
    const file = changesIn(this.#folder.path);
    await writeFile(file, JSON.stringify(changes));
    await this.workbench.runCommand('Acme: Change Settings for a Test');
    await eventually('the change of the settings', async () => !existsSync(file));
  }

  /** Saves a picture of the window in `test-results/screenshots`. */
  async screenshot(name: string): Promise<void> {
    const path = join(TEST_RESULTS, 'screenshots', `${fileName(name)}.png`);
    await this.#page.screenshot({ path, animations: 'disabled' });
  }

  /** Keeps the logs and ends everything that belongs to this editor. */
  async close(): Promise<void> {
    open.delete(this);
    await this.#context.close();
    await this.#host.stop();
    await this.logs.save(fileName(this.name));
    await this.#folder.remove();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function connect(
  options: EditorOptions,
  host: EditorHost,
  folder: TemporaryFolder,
  workspace: string,
): Promise<Editor> {
  const browser = await sharedBrowser();
  const { width = 1280, height = 800, scale = 1 } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: scale,
    // What moves is not clicked before it stands still, which is most of the time that a command takes.
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(LONGEST_WAIT_MS);
  const logs = new EditorLogs(host);
  try {
    if (options.language !== undefined) {
      // Where a language pack is installed, the editor's page sets this before its script starts.
      await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)}`);
    }
    const page = await context.newPage();
    logs.follow(page);
    await page.goto(host.address(workspace));
    await waitForWorkbench(page, host);
    return new Editor(options.name, { host, context, page, folder, workspace }, logs);
  } catch (error) {
    await context.close();
    await host.stop();
    throw error;
  }
}

/** The editor is ready when the extension is: from then on its item is in the status bar and says what answers. */
async function waitForWorkbench(page: Page, { userFolder }: EditorHost): Promise<void> {
  await page.locator('.monaco-workbench').waitFor();
  const { 'modelAccess.sandbox.enabled': sandbox } = await readSettings(userFolder, 'Machine');
  const item = page.locator('.statusbar-item[id$="modelAccess.balance"]');
  await item.filter(sandbox === true ? { hasText: 'Sandbox' } : {}).waitFor();
}

function storageIn(userFolder: string): string {
  return join(userFolder, 'User', 'globalStorage', 'model-access.model-access');
}

function installedExtensions(): string {
  const folder = process.env[EXTENSIONS_VARIABLE];
  if (folder === undefined) throw new Error('Run this by “npm run test:e2e”: it packages and installs the extension.');
  return folder;
}

/** The one folder that all editors share, or for more extensions one of its own. */
async function extensionsFor({ otherExtensions = [] }: EditorOptions, folder: string): Promise<string> {
  if (otherExtensions.length === 0) return installedExtensions();
  const all = join(folder, 'extensions');
  await cp(installedExtensions(), all, { recursive: true });
  for (const path of otherExtensions) await addExtension(all, path);
  return all;
}

/** What the extension `settingsWriter` of the tests is to change. */
function changesIn(folder: string): string {
  return join(folder, 'changes.json');
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
