import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { resultForUser } from '../../agent/tools/tool.ts';
import { isStep } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { RestoreChoice, RestoreView } from '../../pages/chat/protocol.ts';
import type { Chat } from '../chat/chat.ts';
import type { Checkpoint } from './checkpoints.ts';
import { bytesOf, deleteFile, writeBytes } from './files.ts';
import { statOf } from './statOf.ts';

/** What is restored: the state before a turn, without that turn and later ones. */
export interface RestorePoint {
  /** The ID of the question that begins the turn. */
  readonly questionId: string;
  readonly conversation: LiveConversation;
  /** The checkpoints of the runs from this turn on, oldest first. */
  readonly checkpoints: readonly Checkpoint[];
}

/** The IDs of the runs on the path shown, from this one on. */
export function runsFrom({ value }: LiveConversation, run: string): readonly string[] {
  const from = value.entries.findIndex(({ id }) => id === run);
  const runs = value.entries.slice(Math.max(0, from)).flatMap((entry) => (isStep(entry) ? [entry.run] : []));
  return [...new Set([run, ...runs])];
}

/** What restoring would change. */
export async function restoreViewOf({ questionId, conversation, checkpoints }: RestorePoint): Promise<RestoreView> {
  const edited = new Set((await Promise.all(checkpoints.map((one) => one.edited()))).flat().map(String));
  const files = (await changedFiles(checkpoints)).map((uri) => ({
    path: vscode.workspace.asRelativePath(uri),
    isEdited: edited.has(uri.toString()),
  }));
  const unrestored = (await Promise.all(checkpoints.map((one) => one.unrestored()))).flat();
  const steps = conversation.value.entries.slice(placeOf(questionId, conversation)).filter(isStep);
  const kinds = steps.flatMap(({ toolCalls = [] }) => toolCalls.map(({ action }) => action?.kind));
  const hasCommands = kinds.some((kind) => kind === 'command' || kind === 'tool');
  return { runId: questionId, files, unrestored: [...new Set(unrestored)], hasCommands, steps: steps.length };
}

/** Takes back the files, the chat, or both, and offers to undo it. */
export async function restoreRun(point: RestorePoint, choice: RestoreChoice, chat: Chat): Promise<void> {
  if (!choice.files && !choice.chat) return;
  const undoFiles = choice.files ? await restoreFiles(point.checkpoints) : undefined;
  const undoChat = choice.chat ? removeTurns(point, chat) : undefined;
  chat.undo?.offer({
    isOfChat: true,
    text: choice.chat ? l10n.t('The turn was removed from the chat.') : l10n.t('The files were restored.'),
    undo: async () => {
      undoChat?.();
      if (undoFiles !== undefined) await resultForUser(undoFiles());
    },
  });
}

/** The place of a question on the path shown. */
function placeOf(questionId: string, { value }: LiveConversation): number {
  const place = value.entries.findIndex(({ id }) => id === questionId);
  return place === -1 ? value.entries.length : place;
}

async function changedFiles(checkpoints: readonly Checkpoint[]): Promise<readonly vscode.Uri[]> {
  const changed = (await Promise.all(checkpoints.map((one) => one.changed()))).flat();
  return [...new Map(changed.map(({ uri }) => [uri.toString(), uri])).values()];
}

/** Gives the files the contents before the oldest of these checkpoints. Returns what takes that back. */
export async function restoreFiles(checkpoints: readonly Checkpoint[]): Promise<() => Promise<void>> {
  const before: { readonly uri: vscode.Uri; readonly bytes: Uint8Array | undefined }[] = [];
  for (const uri of await changedFiles(checkpoints)) before.push({ uri, bytes: await bytesOf(uri) });
  const uris = before.map(({ uri }) => uri);
  for (const checkpoint of checkpoints) await checkpoint.checkPlaces(uris);
  const undos: (() => Promise<void>)[] = [];
  for (const checkpoint of checkpoints.toReversed()) undos.push(await checkpoint.restore());
  return async () => {
    for (const checkpoint of checkpoints) await checkpoint.checkPlaces(uris);
    for (const { uri, bytes } of before) {
      if (bytes !== undefined) await writeBytes(uri, bytes);
      else if ((await statOf(uri)) !== undefined) await deleteFile(uri);
    }
    for (const undo of undos) await undo();
  };
}

/** Removes the turns, and puts the question into the composer. Returns what takes that back. */
function removeTurns({ questionId, conversation }: RestorePoint, chat: Chat): () => void {
  const { entries } = conversation.value;
  const question = conversation.value.entry(questionId);
  const ids = entries.slice(placeOf(questionId, conversation)).map(({ id }) => id);
  for (const id of ids) conversation.record({ type: 'removed', id });
  chat.update();
  if (question?.role === 'user') chat.composition.putBack(question.text);
  return () => {
    for (const id of ids) conversation.record({ type: 'restored', id });
    chat.update();
  };
}
