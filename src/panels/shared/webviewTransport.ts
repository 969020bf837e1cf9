import type { PageTransport } from '../../pages/page.ts';

/** The editor's API for webview scripts. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The properties of a page that identify its host. */
type WebviewPage = Pick<Window, 'origin' | 'length'> & { readonly [frame: number]: unknown };

/**
 * Whether a message comes from the editor, whose outer frame has the page's own origin. The frame for diagrams has
 * none; code in a diagram may have taken it over. A browser's extensions post as the page itself. The editor hides
 * `window.parent`, so it cannot be compared.
 */
export function isFromHost({ origin, source }: Pick<MessageEvent, 'origin' | 'source'>, page: WebviewPage): boolean {
  const frames = Array.from({ length: page.length }, (_, index) => page[index]);
  return origin === page.origin && source !== null && source !== page && !frames.includes(source);
}

/** Connects to the host. Called once per page, because the editor provides its API only once. */
export function webviewTransport<ToPage, ToHost, Kept = undefined>(): PageTransport<ToPage, ToHost, Kept> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    listen(receive) {
      const listener = (event: MessageEvent<ToPage>) => {
        if (isFromHost(event, window)) receive(event.data);
      };
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
    kept: () => api.getState() as Kept | undefined,
    keep: (value) => api.setState(value),
  };
}
