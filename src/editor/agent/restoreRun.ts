import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { resultForUser } from '../../agent/tools/tool.ts';
import { isStep } from '../../chat/conversation/entry.ts';
import type { LiveConversation } from '../../chat/conversation/liveConversation.ts';
import type { RestoreChoice, RestoreView } from '../../pages/chat/protocol.ts';
import type { Chat } from '../chat/chat.ts';
import type { ChangedFile } from './changedFile.ts';
import type { Checkpoint } from './checkpoints.ts';
import { bytesOf, changedMeanwhile, deleteFile, writeBytes } from './files.ts';

/** What is restored: the state before a turn, without that turn and later ones. */
export interface RestorePoint {
  /** The ID of the question that begins the turn. */
  readonly questionId: string;
  readonly conversation: LiveConversation;
  /** The checkpoints of the runs from this turn on, oldest first. */
  readonly checkpoints: readonly Checkpoint[];
}

/** What files contain; undefined if they do not exist. */
type Contents = ReadonlyMap<vscode.Uri, Uint8Array | undefined>;

/** What {@link Checkpoint.restore} returns. */
type UndoOfCheckpoint = Awaited<ReturnType<Checkpoint['restore']>>;

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

export async function changedFiles(checkpoints: readonly Checkpoint[]): Promise<readonly vscode.Uri[]> {
  return urisOf(await Promise.all(checkpoints.map((one) => one.changed())));
}

async function keptFiles(checkpoints: readonly Checkpoint[]): Promise<readonly vscode.Uri[]> {
  return urisOf(await Promise.all(checkpoints.map((one) => one.compared())));
}

function urisOf(files: readonly (readonly ChangedFile[])[]): readonly vscode.Uri[] {
  return [...new Map(files.flat().map(({ uri }) => [uri.toString(), uri])).values()];
}

/** Gives the files the contents before the oldest of these checkpoints. Returns what takes that back. */
export async function restoreFiles(checkpoints: readonly Checkpoint[]): Promise<() => Promise<void>> {
  const undo = await inTurn(checkpoints, () => restoreInTurn(checkpoints));
  return () => inTurn(checkpoints, undo);
}

/** Does the work while no review writes files of these runs. */
function inTurn<T>([first, ...others]: readonly Checkpoint[], work: () => Promise<T>): Promise<T> {
  return first === undefined ? work() : first.writing.run(() => inTurn(others, work));
}

/** All files are restored, or none. */
async function restoreInTurn(checkpoints: readonly Checkpoint[]): Promise<() => Promise<void>> {
  const before = await contentsOf(await keptFiles(checkpoints));
  const changed = await changedFiles(checkpoints);
  for (const checkpoint of checkpoints) await checkpoint.checkPlaces(changed);
  const undos: UndoOfCheckpoint[] = [];
  const takeBack = async () => {
    const restored = await contentsOf(before.keys());
    return () => undoRestore(checkpoints, undos, before, restored);
  };
  try {
    for (const checkpoint of checkpoints.toReversed()) undos.push(await checkpoint.restore());
  } catch (error) {
    await (await takeBack())();
    throw error;
  }
  return takeBack();
}

/** @param restored the contents that the restore has left. */
async function undoRestore(
  checkpoints: readonly Checkpoint[],
  undos: readonly UndoOfCheckpoint[],
  before: Contents,
  restored: Contents,
): Promise<void> {
  const written = [...before].flatMap(([uri, bytes]) => (isSame(bytes, restored.get(uri)) ? [] : [uri]));
  for (const checkpoint of checkpoints) await checkpoint.checkPlaces(written);
  // A run that has gone on, or the user, may have written a file since. It is left as it is.
  const edited: vscode.Uri[] = [];
  for (const [uri, bytes] of before) {
    const left = restored.get(uri);
    if (!isSame(await bytesOf(uri), left)) edited.push(uri);
    else if (bytes === undefined) await deleteFile(uri);
    else if (!isSame(bytes, left)) await writeBytes(uri, bytes);
  }
  for (const undo of undos) await undo(new Set(edited.map(String)));
  const [first] = edited;
  if (first !== undefined) throw changedMeanwhile(first);
}

async function contentsOf(uris: Iterable<vscode.Uri>): Promise<Contents> {
  const contents = new Map<vscode.Uri, Uint8Array | undefined>();
  for (const uri of uris) contents.set(uri, await bytesOf(uri));
  return contents;
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : Buffer.compare(one, other) === 0;
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
