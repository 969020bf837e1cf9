/** Even over a slow connection, a page is ready by then. */
const MAX_LOADING_MS = 15_000;

interface LoadablePage {
  /** Whether the user sees the page. The editor loads a hidden page again when it is shown. */
  readonly isVisible: () => boolean;
  readonly load: () => void;
  readonly onRetry: () => void;
}

/**
 * Loads a page again, once, if it does not become ready. The editor's service worker fetches the files of a webview. If
 * it loses a request, the page stays empty.
 */
export class PageLoader {
  #timer: NodeJS.Timeout | undefined;

  start({ isVisible, load, onRetry }: LoadablePage): void {
    this.stop();
    load();
    this.#timer = setTimeout(() => {
      if (!isVisible()) return;
      onRetry();
      load();
    }, MAX_LOADING_MS);
  }

  /** Must be called when the page is ready or closed. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
