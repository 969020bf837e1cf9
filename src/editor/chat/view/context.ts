/** What goes with a question, as the panel shows it. */

export interface AttachmentView {
  readonly id: string;
  readonly kind: AttachmentKind;
  /** Such as `session.ts:42–67`. */
  readonly label: string;
  /** Absent while it is being counted. */
  readonly tokens?: number;
  /** More about it, such as what was left out. */
  readonly note?: string;
  /** Names the picture of an image, by which the panel asks for it. */
  readonly picture?: string;
}

/** `diff`: changes that Git sees. `problems`: what the editor reports. `address`: the text of a web page. */
export type AttachmentKind = 'selection' | 'file' | 'folder' | 'problems' | 'diff' | 'terminal' | 'image' | 'address';

/** `symbol`: all but functions and methods. */
type SymbolKind = 'function' | 'symbol';

/** Something that can be attached, in the list that `@` opens. */
export interface ContextChoiceView {
  readonly id: string;
  readonly kind: AttachmentKind | SymbolKind | 'instructions';
  readonly label: string;
  /** Such as the folder of a file. */
  readonly detail?: string;
}
