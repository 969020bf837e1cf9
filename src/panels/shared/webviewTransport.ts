import type { PageTransport } from '../../editor/webviews/protocol.ts';

/** What the editor gives to the script of a webview. */
interface WebviewApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): WebviewApi;

/** The connection with the host. To be called once for each page: the editor gives its API only once. */
export function webviewTransport<ToPage, ToHost, Kept = undefined>(): PageTransport<ToPage, ToHost, Kept> {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    listen(receive) {
      const listener = ({ data }: MessageEvent<ToPage>) => receive(data);
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
    kept: () => api.getState() as Kept | undefined,
    keep: (value) => api.setState(value),
  };
}
