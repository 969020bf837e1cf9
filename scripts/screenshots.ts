/**
 * Takes the pictures of the README: most from the packaged extension in the real editor with the sandbox, those of the
 * tabs from the gallery with its sample figures, because a new ledger is empty.
 *
 *     npm run screenshots -- [NAME ...]
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Editor, openEditor } from '../test/support/editor/editor.ts';
import { closeSharedBrowser, sharedBrowser } from '../test/support/sharedBrowser.ts';
import { startGallery } from './lib/galleryServer.ts';
import { EXTENSIONS_VARIABLE, installPackagedExtension } from './lib/installedExtension.ts';
import { ROOT } from './lib/paths.ts';
import { step } from './lib/progress.ts';
import { writeWebp } from './lib/webpPicture.ts';

const FOLDER = join(ROOT, 'media', 'readme');
const WINDOW = { width: 1200, height: 840, scale: 2 };
const PANEL_WIDTH = 440;
const STATUS_BAR_MARGIN = 8;

interface Picture {
  readonly theme: 'dark' | 'light';
  readonly take: (editor: Editor) => Promise<Buffer>;
}

const PICTURES: Readonly<Record<string, Picture>> = {
  'chat-dark': { theme: 'dark', take: takeConversation },
  'chat-light': { theme: 'light', take: takeConversation },
  models: { theme: 'dark', take: takeModels },
  'status-bar': { theme: 'dark', take: takeStatusBar },
  'inline-suggestion': { theme: 'dark', take: takeSuggestion },
};

interface GalleryPicture {
  readonly panel: string;
  readonly state: string;
  readonly size?: { readonly width: number; readonly height: number };
}

/** Pictures of the gallery. */
const TABS: Readonly<Record<string, GalleryPicture>> = {
  usage: { panel: 'usage', state: 'month' },
  traffic: { panel: 'traffic', state: 'detail' },
  agent: { panel: 'chat', state: 'agent-helpers', size: { width: PANEL_WIDTH, height: 900 } },
};

// Uses the same browser and fonts on every machine.
process.env.CHROME_PATH ??= 'bundled';

const names = process.argv.slice(2);
const isWanted = ([name]: readonly [string, unknown]) => names.length === 0 || names.includes(name);
const pictures = Object.entries(PICTURES).filter(isWanted);
const tabs = Object.entries(TABS).filter(isWanted);
try {
  await mkdir(FOLDER, { recursive: true });
  if (pictures.length > 0) await takePictures(pictures);
  if (tabs.length > 0) await takeTabs(tabs);
} finally {
  await closeSharedBrowser();
}

async function takePictures(wanted: readonly (readonly [string, Picture])[]): Promise<void> {
  const extension = await installPackagedExtension();
  process.env[EXTENSIONS_VARIABLE] = extension.path;
  try {
    for (const [name, picture] of wanted) await step(`Picture ${name}`, () => takePicture(name, picture));
  } finally {
    await extension.remove();
  }
}

async function takeTabs(wanted: readonly (readonly [string, GalleryPicture])[]): Promise<void> {
  const gallery = await startGallery();
  try {
    for (const [name, { panel, state, size = WINDOW }] of wanted) {
      const address = `${gallery.address}${panel}.html?state=${state}&theme=dark`;
      await step(`Picture ${name}`, () => takeTab(name, address, size));
    }
  } finally {
    await gallery.stop();
  }
}

async function takeTab(
  name: string,
  address: string,
  { width, height }: Required<GalleryPicture>['size'],
): Promise<void> {
  const viewport = { width, height };
  const context = await (await sharedBrowser()).newContext({ viewport, deviceScaleFactor: WINDOW.scale });
  try {
    const page = await context.newPage();
    await page.goto(address);
    await page.locator('#root > *').first().waitFor();
    await writeWebp(context, await page.screenshot({ animations: 'disabled' }), join(FOLDER, `${name}.webp`));
  } finally {
    await context.close();
  }
}

async function takePicture(name: string, { theme, take }: Picture): Promise<void> {
  const settings = { 'modelAccess.sandbox.enabled': true, 'editor.minimap.enabled': false };
  const editor = await openEditor({ name: `picture ${name}`, theme, settings, extensions: 'all', ...WINDOW });
  try {
    await editor.openChat();
    await editor.workbench.textEditor.open('src/quote.ts');
    await editor.workbench.runCommand('View: Close Primary Side Bar');
    await editor.workbench.setSecondarySideBarWidth(PANEL_WIDTH);
    await editor.page.getByText("Initializing 'tsconfig.json'").waitFor({ state: 'hidden' });
    await writeWebp(editor.page.context(), await take(editor), join(FOLDER, `${name}.webp`));
  } catch (error) {
    await editor.keepPicture(`failed picture ${name}`);
    throw error;
  } finally {
    await editor.close();
  }
}

async function takeConversation({ page, workbench, chat }: Editor): Promise<Buffer> {
  await chat.frame.getByRole('button', { name: /^Explain quote\.ts/ }).click();
  await (await chat.waitForAnswer(0)).getByText(/^Prepared answer/).waitFor();
  await workbench.textEditor.selectLines(17, 20);
  await chat.composer.fill('Write a test for the discount');
  await chat.countedTokens();
  await chat.frame
    .getByText(/ after$/)
    .filter({ visible: true })
    .first()
    .waitFor();
  await workbench.waitForStatusBar('modelAccess.selection', /tokens · /);
  return page.screenshot({ animations: 'disabled' });
}

async function takeModels({ page, chat }: Editor): Promise<Buffer> {
  await chat.composer.fill('When does the discount apply?');
  await chat.frame.getByText(/^≈/).first().waitFor();
  await chat.modelPicker.click();
  await chat.frame.getByRole('option').first().waitFor();
  return page.screenshot({ animations: 'disabled' });
}

/** The editor with a suggestion, and below it the status bar with its cost. */
async function takeSuggestion({ page, workbench }: Editor): Promise<Buffer> {
  await workbench.driver.configure({ 'modelAccess.inlineSuggestions.enabled': true });
  await workbench.statusBarItem('modelAccess.status').locator('.codicon-sparkle').waitFor();
  await workbench.clearNotifications();
  await workbench.driver.run('workbench.action.closeAuxiliaryBar');
  await workbench.textEditor.open('src/quote.ts');
  await workbench.textEditor.focus();
  await page.keyboard.press('ControlOrMeta+End');
  await workbench.textEditor.type('\nexport function ');
  await page.locator('.part.editor .ghost-text-decoration').first().waitFor();
  await page.locator('.part.statusbar .codicon-loading').first().waitFor({ state: 'hidden' });
  const clip = { x: 0, y: WINDOW.height / 2, width: WINDOW.width, height: WINDOW.height / 2 };
  return page.screenshot({ clip, animations: 'disabled' });
}

async function takeStatusBar({ page, workbench }: Editor): Promise<Buffer> {
  await workbench.runCommand('Model Access: Start Gateway');
  await workbench.waitForStatusBar('modelAccess.status', /\d{4,5}/);
  await workbench.textEditor.selectAll();
  await workbench.waitForStatusBar('modelAccess.selection', /tokens · /);
  await page.locator('.part.statusbar .codicon-loading').first().waitFor({ state: 'hidden' });
  const bar = await page.locator('.part.statusbar').boundingBox();
  const first = await workbench.statusBarItem('modelAccess.selection').boundingBox();
  if (bar === null || first === null) throw new Error('The status bar does not show the tokens of the selection.');
  const left = first.x - STATUS_BAR_MARGIN;
  const clip = { x: left, y: bar.y, width: bar.x + bar.width - left, height: bar.height };
  return page.screenshot({ clip, animations: 'disabled' });
}
