import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { changeOf, type Replaced, ReplaceError, type Replacement, replaceAll } from '../../../agent/replaceText.ts';
import {
  type AgentTool,
  type ApprovalNeed,
  defineTool,
  type PreparedToolCall,
  ToolError,
  type ToolOutcome,
  text,
} from '../../../agent/tools/tool.ts';
import { firstHidden } from '../../../display/hiddenCharacters.ts';
import { defined } from '../../../formats/json.ts';
import { hasKey } from '../../chat/guard/guard.ts';
import { statOf } from '../../documents/ifFound.ts';
import type { Checkpoint } from '../checkpoints.ts';
import { deleteFile, isUnsaved, readText, renameFile, writeText } from '../files.ts';
import { checkIsSamePlace, targetOf, type WorkspaceTarget } from '../workspacePaths.ts';

/**
 * Settings, tasks, and launch configurations of the workspace; Git's settings and hooks; and what Git ignores, which the
 * agent may not read without a question.
 */
const RUN_BY_EDITOR = /(?:^|\/)\.(?:vscode|git|devcontainer)(?:\/|$)|\.code-workspace$|(?:^|\/)\.gitignore$/i;

/** The lines changed by saving that the model is shown. */
const MAX_SAVED_LINES = 60;

export interface EditServices {
  /** Keeps each file before its first change. */
  readonly checkpoint: () => Checkpoint;
  /** Whether each change is held back until the user has seen it. */
  readonly isReviewedFirst: () => boolean;
}

export function editTools(services: EditServices): AgentTool[] {
  return [editTool(services), createTool(services), renameTool(services), deleteTool(services)];
}

function editTool(services: EditServices): AgentTool {
  const schema = z.object({
    path: text('Path of the file.'),
    edits: z
      .array(
        z.object({
          old_text: text('Text to replace, exactly as it is in the file, and long enough to occur only once.'),
          new_text: text('Text to put in its place.'),
        }),
      )
      .check(z.minLength(1), z.describe('Replacements, applied one after the other.')),
  });
  return defineTool('edit_file', 'Replaces parts of a text file.', schema, async ({ path, edits }) => {
    const found = await targetOf(path);
    const before = await readText(found);
    const target =
      found.reason === undefined && (await hasKey(before)) ? { ...found, reason: 'secret' as const } : found;
    const after = replaced(
      before,
      edits.map(({ old_text: oldText, new_text: newText }) => ({ oldText, newText })),
    );
    if (after instanceof ToolError && target.reason === undefined) throw after;
    if (after instanceof ToolError) return failsOnceAllowed(target, after, services);
    return change('edit', target, { before, after: after.text, notes: after.notes }, services);
  });
}

/** Returns the new text, or why there is none. */
function replaced(before: string, edits: readonly Replacement[]): Replaced | ToolError {
  try {
    const after = replaceAll(before, edits);
    return after.text === before ? new ToolError('These edits change nothing.') : after;
  } catch (error) {
    if (error instanceof ReplaceError) return new ToolError(error.message);
    throw error;
  }
}

/** Whether a text is in a file would reveal to the model, guess by guess, what it may not read. */
function failsOnceAllowed(target: WorkspaceTarget, error: ToolError, services: EditServices): PreparedToolCall {
  return {
    action: { kind: 'edit', object: target.path },
    ...writeOf([target], services, {}),
    run: () => Promise.reject(error),
  };
}

function createTool(services: EditServices): AgentTool {
  const schema = z.object({ path: text('Path of the new file.'), content: text('Complete text of the file.') });
  return defineTool('create_file', 'Creates a text file.', schema, async ({ path, content }) => {
    const target = await targetOf(path);
    if ((await statOf(target.uri)) !== undefined) throw new ToolError(`${target.path} exists. Use edit_file.`);
    return change('create', target, { before: undefined, after: content, notes: [] }, services);
  });
}

interface PreparedChange {
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
  /** For the model. */
  readonly notes: readonly string[];
}

/** Writes the text, unless the file has changed since the call was prepared. */
function change(
  kind: 'edit' | 'create',
  target: WorkspaceTarget,
  { before, after, notes }: PreparedChange,
  services: EditServices,
): PreparedToolCall {
  const { added, removed, lines } = changeOf(before ?? '', after);
  return {
    action: { kind, object: target.path },
    ...writeOf([target], services, { diff: lines }),
    run: inTurn(services, async () => {
      const now = (await statOf(target.uri)) === undefined ? undefined : await readText(target);
      if (now !== before) throw new ToolError(`${target.path} was changed in the meantime. Read it again.`);
      await checkIsSamePlace(target);
      await services.checkpoint().keep(target.uri);
      await writeText(target.uri, after, before);
      await services.checkpoint().wrote(target.uri, before);
      const saved = await readText(target);
      const head = `${kind === 'edit' ? 'Edited' : 'Created'} ${target.path} (+${added} −${removed} lines).`;
      return {
        text: [head, ...notes, ...savingNotes(after, saved)].join(' '),
        action: { added, removed },
        edit: { path: target.path, before: before ?? '', after: saved },
      };
    }),
  };
}

/** What the editor has changed while it saved the text, such as with a formatter: the next edit must match it. */
function savingNotes(written: string, saved: string): readonly string[] {
  const lines = changeOf(written, saved, 0).lines.filter(({ kind }) => kind !== 'same');
  if (lines.length === 0) return [];
  const shown = lines.slice(0, MAX_SAVED_LINES).map(({ kind, text: line }) => `${kind === 'added' ? '+' : '-'}${line}`);
  const rest = lines.length > shown.length ? ['[More lines were changed. Read the file again.]'] : [];
  return [['The editor changed this when it saved the file:', ...shown, ...rest].join('\n')];
}

function renameTool(services: EditServices): AgentTool {
  const schema = z.object({ path: text('Path of the file.'), new_path: text('New path of the file.') });
  return defineTool('rename_file', 'Renames or moves a file.', schema, async ({ path, new_path: newPath }) => {
    const [from, to] = [await targetOf(path), await targetOf(newPath)];
    await checkIsFile(from);
    if ((await statOf(to.uri)) !== undefined) throw new ToolError(`${to.path} exists.`);
    return {
      action: { kind: 'rename', object: `${from.path} → ${to.path}` },
      ...writeOf([from, to], services, {}),
      run: inTurn(services, async () => {
        await checkIsSamePlace(from);
        await checkIsSamePlace(to);
        await services.checkpoint().keep(from.uri);
        await services.checkpoint().keep(to.uri);
        await renameFile(from.uri, to.uri);
        await services.checkpoint().renamed(from.uri, to.uri);
        return { text: `Renamed ${from.path} to ${to.path}.` };
      }),
    };
  });
}

function deleteTool(services: EditServices): AgentTool {
  const schema = z.object({ path: text('Path of the file.') });
  return defineTool('delete_file', 'Deletes a file.', schema, async ({ path }) => {
    const target = await targetOf(path);
    await checkIsFile(target);
    return {
      action: { kind: 'delete', object: target.path },
      // Only Restore has the unsaved text afterwards.
      ...writeOf([target], isUnsaved(target.uri) ? { ...services, isReviewedFirst: () => true } : services, {}),
      run: inTurn(services, async () => {
        await checkIsSamePlace(target);
        await services.checkpoint().keep(target.uri);
        await deleteFile(target.uri);
        await services.checkpoint().wrote(target.uri);
        return { text: `Deleted ${target.path}.` };
      }),
    };
  });
}

/** A review of the run writes its files before or after. */
function inTurn(services: EditServices, write: () => Promise<ToolOutcome>): PreparedToolCall['run'] {
  return () => services.checkpoint().writing.run(write);
}

async function checkIsFile({ uri, path }: WorkspaceTarget): Promise<void> {
  const stat = await statOf(uri);
  if (stat === undefined) throw new ToolError(`${path} does not exist.`);
  if ((stat.type & vscode.FileType.Directory) !== 0)
    throw new ToolError(`${path} is a folder. Only files are changed.`);
}

/** What is claimed and allowed before files are changed. */
function writeOf(
  targets: readonly WorkspaceTarget[],
  services: EditServices,
  shown: Pick<ApprovalNeed, 'diff'>,
): Pick<PreparedToolCall, 'need' | 'writes'> {
  return { ...writeNeed(targets, services, shown), writes: targets.map(({ uri }) => uri.toString()) };
}

/** Files in the workspace are changed immediately, because the changes are reviewed and can be reverted. */
function writeNeed(
  targets: readonly WorkspaceTarget[],
  { isReviewedFirst }: EditServices,
  { diff }: Pick<ApprovalNeed, 'diff'>,
): { need?: ApprovalNeed } {
  const shown = diff === undefined ? {} : { diff };
  const asked = targets.find(({ reason }) => reason !== undefined);
  if (asked !== undefined)
    return { need: { kind: 'write', subject: asked.path, ...defined({ reason: asked.reason }), ...shown } };
  const paths = targets.flatMap(({ path, askedPath }) => [path, askedPath]);
  // Some file systems ignore invisible characters in names.
  const run = paths.find((path) => RUN_BY_EDITOR.test(path) || firstHidden(path) !== undefined);
  // The editor runs what these files name, so neither the review nor an earlier choice is enough.
  if (run !== undefined) return { need: { kind: 'file', subject: run, ...shown } };
  return isReviewedFirst() ? { need: { kind: 'write', subject: paths[0] ?? '', ...shown } } : {};
}
