import type { HostMessage, PanelMessage, PanelTransport } from '../../editor/chat/protocol.ts';

interface WebviewState {
  readonly draft: string;
}

/** What the editor gives to the script of a webview. */
interface WebviewApi {
  postMessage(message: PanelMessage): void;
  getState(): WebviewState | undefined;
  setState(state: WebviewState): void;
}

declare function acquireVsCodeApi(): WebviewApi;

export function webviewTransport(): PanelTransport {
  const api = acquireVsCodeApi();
  return {
    post: (message) => api.postMessage(message),
    listen(receive) {
      const listener = ({ data }: MessageEvent<HostMessage>) => receive(data);
      window.addEventListener('message', listener);
      return () => window.removeEventListener('message', listener);
    },
    getDraft: () => api.getState()?.draft ?? '',
    setDraft: (draft) => api.setState({ draft }),
  };
}
