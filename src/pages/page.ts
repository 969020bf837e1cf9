/** Types that the pages of all panels share. */

/** The connection between a page and its host, provided by the editor or a gallery. */
export interface PageTransport<ToPage, ToHost, Kept = undefined> {
  post(message: ToHost): void;
  /** Returns a function that ends the subscription. */
  listen(receive: (message: ToPage) => void): () => void;
  /** Returns the state that the page kept before it was hidden, moved, or reloaded; `undefined` at first. */
  kept(): Kept | undefined;
  keep(value: Kept): void;
}
