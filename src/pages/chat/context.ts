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
  /** Set if its file has changed since it was attached to a question that is edited. Says which text is attached now. */
  readonly version?: 'current' | 'earlier';
}

/**
 * `diff`: uncommitted changes from Git. `problems`: what the editor reports. `address`: the text of a web page.
 * `instructions`: those that apply to other attachments. `tools`: the tools that a prompt allows, which is no text.
 */
export type AttachmentKind =
  | 'selection'
  | 'file'
  | 'folder'
  | 'problems'
  | 'diff'
  | 'terminal'
  | 'image'
  | 'address'
  | 'instructions'
  | 'skill'
  | 'tools';

/** `symbol`: any symbol except functions, methods, and constructors. */
type SymbolKind = 'function' | 'symbol';

/** `file`: the current file and its selection. `paths`: files and folders of the workspace. `more`: everything else. */
export type ContextGroup = 'file' | 'symbols' | 'paths' | 'more';

/** An item in the list that `@` opens. The items of a group follow each other. */
export interface ContextChoiceView {
  readonly id: string;
  readonly kind: AttachmentKind | SymbolKind;
  readonly group: ContextGroup;
  readonly label: string;
  /** A detail such as the folder of a file. */
  readonly detail?: string;
  /** Estimated. Undefined until they are counted, and for items whose content is not known before they are chosen. */
  readonly tokens?: number;
  /** True for a folder with many files, of which the user chooses some. */
  readonly isLarge?: boolean;
  /** True for an address: its mention stays in the text until its page has been read. */
  readonly isFetched?: boolean;
}

/** A web page that was read for an attachment. */
export interface PageView {
  /** The attachment's label, such as `docs.example.com/rates`. */
  readonly label: string;
  /** Empty if the page has none. */
  readonly title: string;
  readonly tokens: number;
  /** The first words of its text. */
  readonly start: string;
}
