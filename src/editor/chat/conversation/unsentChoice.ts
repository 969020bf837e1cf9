/** The attachments of an unsent question that a window left on disk. */
export interface UnsentSet {
  /** The window that wrote them. */
  readonly writer: string;
  /** The URI of the window's workspace, if it has one. */
  readonly workspace: string | undefined;
  /** Whether its extension host still runs. */
  readonly isAlive: boolean;
  /** In milliseconds since the epoch. */
  readonly savedAt: number;
}

/**
 * Chooses which attachments a newly opened window restores: its own from before, as named in the workspace state; or
 * else the latest of a closed window of the same workspace. If there are none, and the window in the workspace state
 * still runs, its attachments are copied: two windows may share a workspace state, and a host outlives a page that
 * crashed.
 */
export function chooseUnsentSet(
  left: readonly UnsentSet[],
  { remembered, workspace }: { readonly remembered: string | undefined; readonly workspace: string | undefined },
): UnsentSet | undefined {
  const own = left.find(({ writer }) => writer === remembered);
  if (own?.isAlive === false) return own;
  const orphans = left.filter((one) => !one.isAlive && workspace !== undefined && one.workspace === workspace);
  return orphans.sort((a, b) => b.savedAt - a.savedAt)[0] ?? own;
}
