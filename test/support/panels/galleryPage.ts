import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { BrowserContext, Clock, Page, Request, ViewportSize } from 'playwright-core';
import { readReviewMessage } from '../../../src/pages/agentReview/reviewMessages.ts';
import type { ChatPanelMessage } from '../../../src/pages/chat/panelMessages.ts';
import { readPanelMessage } from '../../../src/pages/chat/panelMessages.ts';
import type { ChatHostMessage } from '../../../src/pages/chat/protocol.ts';
import { readConfigureMessage } from '../../../src/pages/configureAgent/configureMessages.ts';
import { readConnectMessage } from '../../../src/pages/connectTool/connectMessages.ts';
import { readKeyMessage } from '../../../src/pages/localKey/keyMessages.ts';
import type { MessageReader } from '../../../src/pages/pageMessages.ts';
import { readRoutesMessage } from '../../../src/pages/routes/routesMessages.ts';
import { readSessionMessage } from '../../../src/pages/session/sessionMessages.ts';
import type { TrafficHostMessage } from '../../../src/pages/traffic/protocol.ts';
import { readTrafficMessage } from '../../../src/pages/traffic/trafficMessages.ts';
import { readUsageMessage } from '../../../src/pages/usage/usageMessages.ts';
import type { Theme } from '../../gallery/shared/themes.ts';
import { eventually } from '../eventually.ts';
import { sharedBrowser } from '../sharedBrowser.ts';
import { sharedGallery } from './sharedGallery.ts';

/** Selectors of what each panel has rendered once it can be used. */
const DRAWN = {
  chat: '.composer, .welcome, .connect-note, .history-page',
  session: 'main.session',
  traffic: '.toolbar',
  usage: 'main.usage',
  localKey: 'main.key-page',
  routes: 'main.routes-page',
  configureAgent: 'main.configure-page',
  connectTool: 'main.connect-page',
  agentReview: 'main.review',
} as const;

export type PanelName = keyof typeof DRAWN;

/** How the host reads the messages of each panel. */
const READERS: Readonly<Record<PanelName, MessageReader<unknown>>> = {
  chat: readPanelMessage,
  session: readSessionMessage,
  traffic: readTrafficMessage,
  usage: readUsageMessage,
  localKey: readKeyMessage,
  routes: readRoutesMessage,
  configureAgent: readConfigureMessage,
  connectTool: readConnectMessage,
  agentReview: readReviewMessage,
};

/** What the panel has posted since its state was shown. */
const POSTED = 'JSON.stringify(globalThis.posted ?? [])';

/** The size of a side bar. */
export const SIDE_BAR: ViewportSize = { width: 340, height: 640 };

export interface GalleryPageOptions {
  /** {@link SIDE_BAR} by default. */
  readonly viewport?: ViewportSize;
  /** Disables the page's content security policy, which blocks scripts other than its own. */
  readonly bypassCSP?: boolean;
}

/**
 * Contexts by whether the content security policy applies. A browser compiles a script once for all pages of a context.
 */
const contexts = new Map<boolean, Promise<BrowserContext>>();

async function contextFor({ bypassCSP = false }: GalleryPageOptions): Promise<BrowserContext> {
  const context = contexts.get(bypassCSP) ?? sharedBrowser().then((browser) => browser.newContext({ bypassCSP }));
  contexts.set(bypassCSP, context);
  return context;
}

/** Pages that no test uses at the moment, by context. Opening one takes longer than most tests do. */
const idle = new Map<BrowserContext, Page[]>();

/** The address that a page has loaded, without the state. Loading a panel takes longer than showing another state. */
const loaded = new WeakMap<Page, string>();

/** A page with a panel in a plain browser, without an editor. A scripted host sends it the states of the gallery. */
export class GalleryPage {
  readonly page: Page;
  readonly #address: string;
  /** Errors in the page's script, and the browser's errors. */
  readonly #faults: string[] = [];
  /** What the page has requested, and may not have received yet. */
  readonly #requests: Request[] = [];
  /** The panel that this object has shown. */
  #panel: PanelName | undefined;
  #hasClock = false;

  private constructor(page: Page, address: string) {
    this.page = page;
    this.#address = address;
    page.on('pageerror', (error) => this.#faults.push(error.message));
    page.on('console', (message) => {
      const isOfPanel = !message.location().url.endsWith('favicon.ico');
      if (message.type() === 'error' && isOfPanel) this.#faults.push(message.text());
    });
    page.on('request', (request) => this.#requests.push(request));
  }

  /** Opens a page, with the width of a side bar by default. */
  static async open(options: GalleryPageOptions = {}): Promise<GalleryPage> {
    const { address } = await sharedGallery();
    const context = await contextFor(options);
    const page = idle.get(context)?.pop() ?? (await context.newPage());
    const gallery = new GalleryPage(page, address);
    await gallery.resize(options.viewport ?? SIDE_BAR);
    return gallery;
  }

  async resize(size: ViewportSize): Promise<void> {
    if (!isDeepStrictEqual(this.page.viewportSize(), size)) await this.page.setViewportSize(size);
  }

  /** Shows a state of a panel, in the loaded page if it has this panel. `query` contains other parameters of the gallery's page: see `galleryPage.ts`. */
  async show(
    state: string,
    { panel = 'chat', ...query }: { readonly panel?: PanelName; readonly [name: string]: string } = {},
  ): Promise<void> {
    const address = `${this.#address}${panel}.html?${new URLSearchParams({ motion: 'reduce', ...query })}`;
    if (loaded.get(this.page) === address) await this.#showNext(state, query.theme);
    else await this.#load(address, state);
    this.#panel = panel;
    await this.page.locator(DRAWN[panel]).first().waitFor();
  }

  async #load(address: string, state: string): Promise<void> {
    await this.#readPosted();
    loaded.set(this.page, address);
    this.#requests.length = 0;
    await this.page.goto(`${address}&state=${state}`);
    // A click is lost if its button moves before it ends, for example because the fonts arrive.
    await this.page.locator('html[data-shown]').waitFor({ state: 'attached' });
  }

  /** Shows another state of the loaded panel, and reads what the panel has posted before. */
  async #showNext(state: string, theme = 'dark'): Promise<void> {
    const posted = await this.page.evaluate<string>(`(async () => {
      const posted = ${POSTED};
      applyTheme(${JSON.stringify(theme)});
      await showState(${JSON.stringify(state)});
      return posted;
    })()`);
    this.#checkPosted(posted);
  }

  /** Lets `show` load the page again, for a test that changes or observes what no state replaces. */
  unload(): void {
    loaded.delete(this.page);
  }

  /** Replaces the page's clock with one that tests move. */
  async installClock(): Promise<Clock> {
    this.#hasClock = true;
    await this.page.clock.install();
    return this.page.clock;
  }

  /** Switches to another theme without loading the state again. */
  async applyTheme(theme: Theme): Promise<void> {
    await this.page.evaluate(`applyTheme(${JSON.stringify(theme)})`);
  }

  /**
   * Waits until the page has received all that it has requested, such as the code of parts that are loaded late.
   *
   * @returns whether there was anything.
   */
  async receive(): Promise<boolean> {
    const requests = this.#requests.splice(0);
    await Promise.all(requests.map(async (request) => (await request.response())?.finished()));
    return requests.length > 0;
  }

  /** Sends the panel a message as its host. */
  async tell(message: ChatHostMessage | TrafficHostMessage): Promise<void> {
    await this.page.evaluate(`tell(${JSON.stringify(message)})`);
  }

  /** Returns what the chat panel has posted to its host since it was shown. */
  posted(): Promise<readonly ChatPanelMessage[]> {
    return this.page.evaluate<ChatPanelMessage[]>('posted');
  }

  /** Returns the last message of a type that the chat panel has posted; undefined if there was none. */
  async lastPosted(type: ChatPanelMessage['type']): Promise<ChatPanelMessage | undefined> {
    return (await this.posted()).findLast((message) => message.type === type);
  }

  /** Waits until the chat panel has posted a message of a type, and returns the last one. */
  async awaitPosted(type: ChatPanelMessage['type']): Promise<ChatPanelMessage | undefined> {
    let last: ChatPanelMessage | undefined;
    await eventually(`a message “${type}”`, async () => {
      last = await this.lastPosted(type);
      return last !== undefined;
    });
    return last;
  }

  /**
   * Makes the page available to other tests.
   *
   * @throws if there was an error in the page, or if it posted what its host drops as malformed.
   */
  async close(): Promise<void> {
    await this.#readPosted();
    if (this.#hasClock) await this.page.close();
    else await this.#release();
    if (this.#faults.length > 0) this.unload();
    assert.deepEqual(this.#faults, []);
  }

  async #release(): Promise<void> {
    const { page } = this;
    await page.emulateMedia({ reducedMotion: null });
    // Otherwise, the pointer would stay above the next test's page.
    await page.mouse.move(-1, -1);
    for (const event of ['pageerror', 'console', 'request']) page.removeAllListeners(event);
    const others = idle.get(page.context()) ?? [];
    idle.set(page.context(), [...others, page]);
  }

  async #readPosted(): Promise<void> {
    if (this.#panel !== undefined) this.#checkPosted(await this.page.evaluate<string>(POSTED));
  }

  /** Reads what the panel that was shown has posted as its host does. The editor sends it as JSON. */
  #checkPosted(json: string): void {
    if (this.#panel === undefined) return;
    const read = READERS[this.#panel];
    const posted: unknown[] = JSON.parse(json);
    this.#faults.push(...posted.filter((message) => read(message) === undefined).map((one) => JSON.stringify(one)));
  }
}
