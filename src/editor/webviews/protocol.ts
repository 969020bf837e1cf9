/** What is the same in the pages of all panels. */

/** The connection of a page with its host, as the editor or a gallery gives it. */
export interface PageTransport<ToPage, ToHost, Kept = undefined> {
  post(message: ToHost): void;
  /** @returns a function that ends the subscription. */
  listen(receive: (message: ToPage) => void): () => void;
  /** What the page kept before it was hidden, moved or loaded again; `undefined` at first. */
  kept(): Kept | undefined;
  keep(value: Kept): void;
}

/** The first message of every page, also after it was hidden or loaded again: it knows nothing and needs the whole state. */
export interface PageReady {
  readonly type: 'ready';
}
