import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatSession } from '../chat/chatSession.ts';
import { isStep } from '../chat/conversation/entry.ts';
import type { LiveConversation } from '../chat/conversation/liveConversation.ts';
import type { Checkpoint } from './checkpoints.ts';
import { writeBytes } from './files.ts';
import { statOf } from './statOf.ts';

/** What is taken back: a turn and those after it. */
export interface TakenBack {
  /** The ID of the question that begins the turn. */
  readonly questionId: string;
  readonly conversation: LiveConversation;
  /** Those of the runs from this turn on, oldest first. */
  readonly checkpoints: readonly Checkpoint[];
}

/** The IDs of the runs on the path shown, from this one on. */
export function runsFrom({ value }: LiveConversation, run: string): readonly string[] {
  const from = value.entries.findIndex(({ id }) => id === run);
  const runs = value.entries.slice(Math.max(0, from)).flatMap((entry) => (isStep(entry) ? [entry.run] : []));
  return [...new Set([run, ...runs])];
}

/** Asks what to take back (the files, the chat, or both), and offers to undo it. */
export async function restoreRun(taken: TakenBack, session: ChatSession): Promise<void> {
  const uris = await changedFiles(taken.checkpoints);
  const [files, chat, both] = [l10n.t('Files'), l10n.t('Chat'), l10n.t('Files and Chat')];
  const choice = await vscode.window.showWarningMessage(
    l10n.t('Restore to before this turn?'),
    { modal: true, detail: detailOf(uris) },
    ...(uris.length === 0 ? [chat] : [both, files, chat]),
  );
  if (choice === undefined) return;
  const undoFiles = choice === chat ? undefined : await restoreFiles(taken.checkpoints);
  const undoChat = choice === files ? undefined : removeTurns(taken, session);
  session.undo.offer({
    text: choice === files ? l10n.t('The files were restored.') : l10n.t('The turn was removed from the chat.'),
    undo: async () => {
      undoChat?.();
      await undoFiles?.();
    },
  });
}

function detailOf(uris: readonly vscode.Uri[]): string {
  const names = uris.map((uri) => vscode.workspace.asRelativePath(uri)).join(', ');
  const ofFiles =
    uris.length === 0
      ? l10n.t('This turn left no changes in files.')
      : l10n.t('Files change back to what they were before this turn, also where you edited them since: {0}', names);
  return `${ofFiles}\n\n${l10n.t('The chat goes back to the question, which you can change and send again.')}`;
}

async function changedFiles(checkpoints: readonly Checkpoint[]): Promise<readonly vscode.Uri[]> {
  const changed = (await Promise.all(checkpoints.map((one) => one.changed()))).flat();
  return [...new Map(changed.map(({ uri }) => [uri.toString(), uri])).values()];
}

/** Gives the files the contents before the oldest of these checkpoints. Returns what takes that back. */
export async function restoreFiles(checkpoints: readonly Checkpoint[]): Promise<() => Promise<void>> {
  const before: { readonly uri: vscode.Uri; readonly bytes: Uint8Array | undefined }[] = [];
  for (const uri of await changedFiles(checkpoints)) {
    const isThere = (await statOf(uri)) !== undefined;
    before.push({ uri, bytes: isThere ? await vscode.workspace.fs.readFile(uri) : undefined });
  }
  for (const checkpoint of checkpoints.toReversed()) await checkpoint.restore();
  return async () => {
    for (const { uri, bytes } of before) {
      if (bytes !== undefined) await writeBytes(uri, bytes);
      else if ((await statOf(uri)) !== undefined) await vscode.workspace.fs.delete(uri, { useTrash: false });
    }
  };
}

/** Removes the turns, and puts the question into the composer. Returns what takes that back. */
function removeTurns({ questionId, conversation }: TakenBack, session: ChatSession): () => void {
  const { entries } = conversation.value;
  const question = conversation.value.entry(questionId);
  const from = entries.findIndex(({ id }) => id === questionId);
  const ids = from === -1 ? [] : entries.slice(from).map(({ id }) => id);
  for (const id of ids) conversation.record({ type: 'removed', id });
  session.update();
  if (question?.role === 'user') session.composition.compose(question.text);
  return () => {
    for (const id of ids) conversation.record({ type: 'restored', id });
    session.update();
  };
}
