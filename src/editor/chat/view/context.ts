/** Attachments of a question, as the panel shows them. */

export interface AttachmentView {
  readonly id: string;
  readonly kind: AttachmentKind;
  /** A label such as `session.ts:42–67`. */
  readonly label: string;
  /** Undefined while they are being counted. */
  readonly tokens?: number;
  /** A note on its content, such as what was omitted. */
  readonly note?: string;
  /** The file name by which the panel requests an image. */
  readonly picture?: string;
}

/** `diff`: uncommitted changes from Git. `problems`: what the editor reports. `address`: the text of a web page. */
export type AttachmentKind = 'selection' | 'file' | 'folder' | 'problems' | 'diff' | 'terminal' | 'image' | 'address';

/** `symbol`: any symbol except functions, methods, and constructors. */
type SymbolKind = 'function' | 'symbol';

/** An item in the list that `@` opens. */
export interface ContextChoiceView {
  readonly id: string;
  readonly kind: AttachmentKind | SymbolKind | 'instructions';
  readonly label: string;
  /** A detail such as the folder of a file. */
  readonly detail?: string;
}
