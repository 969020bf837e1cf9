/** The tool that reads a file: lines of a text, or an image. */
import type * as vscode from 'vscode';
import * as z from 'zod/mini';
import { cutMiddle } from '../../../agent/cutText.ts';
import { lineCount } from '../../../agent/tools/notes.ts';
import {
  type AgentTool,
  type ApprovalNeed,
  defineTool,
  type ResultImage,
  type ToolOutcome,
  text,
} from '../../../agent/tools/tool.ts';
import { MAX_FILE_BYTES } from '../../../chat/context/fileSize.ts';
import { imageType } from '../../../chat/context/image.ts';
import { isKeyName } from '../../../secrets/keyNames.ts';
import { readUpTo } from '../../chat/context/readChecked.ts';
import { hasKey } from '../../chat/guard/guard.ts';
import { statOf } from '../../documents/ifFound.ts';
import { readLargeFile, readText } from '../files.ts';
import { targetOf, type WorkspaceTarget } from '../workspacePaths.ts';
import { placeOfImage } from './resultContent.ts';

const MAX_LINES = 2000;
const MORE_LINES = '\n[The file has more lines. Read them with start_line and end_line.]';
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i;

export interface ReadFileOptions {
  /** Whether a file has instructions that apply: they are meant for the model. */
  readonly isInstructions?: (uri: vscode.Uri) => boolean;
  /** Whether a file outside the workspace, by its path after links were followed, is read without a question. */
  readonly isFreeToRead?: (real: string) => boolean;
}

export function readFileTool({ isInstructions = () => false, isFreeToRead = () => false }: ReadFileOptions): AgentTool {
  const line = (what: string) => z.optional(z.int().check(z.positive(), z.describe(what)));
  const schema = z.object({
    path: text('Path of the file.'),
    start_line: line('First line to read, counted from 1.'),
    end_line: line('Last line to read.'),
  });
  const description = `Reads a text file with line numbers, at most ${MAX_LINES} lines at a time, or an image.`;
  return defineTool('read_file', description, schema, async ({ path, start_line: start = 1, end_line: end }) => {
    const target = await targetOf(path);
    const free = withoutQuestion(target, isFreeToRead);
    const image = IMAGE_NAME.test(path) ? await readImage(target) : undefined;
    if (image !== undefined) {
      return { action: { kind: 'read', object: target.path }, ...needOf(free, false), run: async () => image };
    }
    const last = Math.min(end ?? Number.MAX_SAFE_INTEGER, start + MAX_LINES - 1);
    const { shown, checkedText, rest } = await linesOf(target, start, last, end);
    const object = end === undefined && start === 1 ? target.path : `${target.path}:${start}–${end ?? ''}`;
    return {
      action: { kind: 'read', object },
      ...needOf(free, await hasKey(checkedText)),
      run: async () => {
        const numbered = shown.map((one, index) => `${start + index}\t${one}`).join('\n');
        return {
          text: cutMiddle(numbered, 'Read fewer lines with start_line and end_line.') + rest,
          action: { note: lineCount(shown.length) },
          ...(!isInstructions(target.uri) && { source: { name: target.path, isFile: target.reason !== 'outside' } }),
        };
      },
    };
  });
}

/** Returns undefined for a file that is no image, whatever its name says. */
async function readImage(target: WorkspaceTarget): Promise<ToolOutcome | undefined> {
  if ((await statOf(target.uri)) === undefined) return undefined;
  const bytes = await readUpTo(target.checked, MAX_FILE_BYTES);
  if (bytes === undefined || imageType(bytes) === undefined) return undefined;
  const images: ResultImage[] = [];
  const text = placeOfImage(bytes, 'image', images);
  return { text, images, source: { name: target.path, isFile: target.reason !== 'outside' } };
}

interface ReadLines {
  readonly shown: readonly string[];
  /** In which keys are looked for. */
  readonly checkedText: string;
  /** What the model is told about the lines that it did not get. */
  readonly rest: string;
}

async function linesOf(
  target: WorkspaceTarget,
  start: number,
  last: number,
  end: number | undefined,
): Promise<ReadLines> {
  const large = await readLargeFile(target, start, last);
  if (large !== undefined) {
    const rest = large.hasMore && (end === undefined || start + large.lines.length - 1 < end) ? MORE_LINES : '';
    return { shown: large.lines, checkedText: large.lines.join('\n'), rest };
  }
  const content = await readText(target);
  const lines = content.split(/\r?\n/);
  const wanted = Math.min(end ?? lines.length, lines.length);
  const rest = last < wanted ? `\n[The file has ${lines.length} lines.]` : '';
  return { shown: lines.slice(start - 1, last), checkedText: content, rest };
}

/** Files of the user's own skills are outside the workspace, but meant to be read. */
function withoutQuestion(target: WorkspaceTarget, isFreeToRead: (real: string) => boolean): WorkspaceTarget {
  const { real } = target.checked;
  if (target.reason !== 'outside' || real === undefined || !isFreeToRead(real) || isKeyName(real)) return target;
  const { reason: _, ...free } = target;
  return free;
}

/** Files outside the workspace, ignored files, and files with secrets are asked for each time. */
function needOf({ path, reason }: WorkspaceTarget, containsKey: boolean): { need?: ApprovalNeed } {
  const why = reason ?? (containsKey ? 'secret' : undefined);
  return why === undefined ? {} : { need: { kind: 'file', subject: path, reason: why } };
}
