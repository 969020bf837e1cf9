/** What one window left on disk of a conversation: attachments of a question that was not sent. */
export interface LeftBehind {
  /** The window that wrote it. */
  readonly writer: string;
  /** Address of its workspace, where it has one. */
  readonly workspace: string | undefined;
  /** Whether its extension host is still there. */
  readonly isAlive: boolean;
  /** Milliseconds since the epoch. */
  readonly savedAt: number;
}

/**
 * Which of these a window takes up that has just been opened: its own from before, as its memory names them; else the
 * latest of the same workspace whose window is gone. Where the memory names a window that is still there, it gets a copy:
 * two windows may share a memory, and a host outlives a page that crashed.
 */
export function chooseLeftBehind(
  left: readonly LeftBehind[],
  { remembered, workspace }: { readonly remembered: string | undefined; readonly workspace: string | undefined },
): LeftBehind | undefined {
  const own = left.find(({ writer }) => writer === remembered);
  if (own?.isAlive === false) return own;
  const orphans = left.filter((one) => !one.isAlive && workspace !== undefined && one.workspace === workspace);
  return orphans.sort((a, b) => b.savedAt - a.savedAt)[0] ?? own;
}
