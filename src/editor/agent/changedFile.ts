import type * as vscode from 'vscode';

/** The text of a kept file, and what it is compared with. */
export interface ChangedFile {
  readonly uri: vscode.Uri;
  /** Undefined if the file did not exist, or if it was accepted that it is gone. */
  readonly before: string | undefined;
  /** Undefined if the file does not exist. */
  readonly after: string | undefined;
  /** What the run left, which the user may have edited since. Undefined if it is not known. */
  readonly left?: { readonly text: string | undefined };
  /** The file that was renamed to this one. */
  readonly renamedFrom?: vscode.Uri;
}
