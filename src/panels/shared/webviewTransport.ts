import type { PageTransport } from '../../editor/webviews/protocol.ts';
import { type HostMessages, isHostMessage } from './hostMessages.ts';

/** The editor's API for webview scripts. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The properties of a page that identify its host. */
type Page = Pick<Window, 'origin' | 'length'> & { readonly [frame: number]: unknown };

/**
 * Whether a message comes from the editor, whose outer frame has the page's own origin. The frame for diagrams has
 * none; code in a diagram may have taken it over. The editor hides `window.parent`, so it cannot be compared.
 */
export function isFromHost({ origin, source }: Pick<MessageEvent, 'origin' | 'source'>, page: Page): boolean {
  const frames = Array.from({ length: page.length }, (_, index) => page[index]);
  return origin === page.origin && source !== null && !frames.includes(source);
}

/** Connects to the host. Called once per page, because the editor provides its API only once. */
export function webviewTransport<ToPage extends { readonly type: string }, ToHost, Kept = undefined>(
  messages: HostMessages<ToPage>,
): PageTransport<ToPage, ToHost, Kept> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    listen(receive) {
      const listener = (event: MessageEvent<unknown>) => {
        if (isFromHost(event, window) && isHostMessage(event.data, messages)) receive(event.data);
      };
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
    kept: () => api.getState() as Kept | undefined,
    keep: (value) => api.setState(value),
  };
}
