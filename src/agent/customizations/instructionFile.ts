/** Files with instructions for the model: which files they apply to, and their text. */
import * as l10n from '@vscode/l10n';
import { type FileProblem, listOf, readFrontMatter, textOf } from '../../chat/prompts/frontMatter.ts';
import { baseName, folderOf } from '../../files/paths.ts';
import { defined } from '../../formats/json.ts';

/** Which files make instructions apply. */
export type InstructionScope =
  | { readonly type: 'always' }
  /** Files below the folder, a path without a trailing slash. */
  | { readonly type: 'folder'; readonly folder: string }
  | { readonly type: 'files'; readonly globs: readonly string[] }
  /** Only when a person attaches them. */
  | { readonly type: 'manual' };

export interface InstructionFile {
  readonly name: string;
  readonly description?: string;
  readonly scope: InstructionScope;
  readonly text: string;
  readonly problems: readonly FileProblem[];
}

const ALWAYS: InstructionScope = { type: 'always' };
/** Globs that match each file. */
const ALL_FILES = new Set(['**', '**/*', '*']);
/** The files that count for their folder. */
const FOLDER_FILES = new Set(['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md']);

/**
 * Reads a file with instructions.
 * @param path relative to the workspace folder, or with any other beginning for a file of the user's own.
 */
export function readInstructionFile(source: string, path: string): InstructionFile {
  const name = baseName(path);
  const plain = { name, text: withoutMark(source).trim(), problems: [] };
  if (FOLDER_FILES.has(name)) return { ...plain, scope: scopeOfFolder(folderOf(path)) };
  const { values, body, problems, lineOf } = readFrontMatter(source);
  const { text } = problems.length > 0 ? plain : { text: body };
  const described = { name: textOf(values.name) ?? name, ...defined({ description: textOf(values.description) }) };
  if (name === 'copilot-instructions.md') return { ...described, text, problems, scope: ALWAYS };
  const isRule = !/\.instructions\.md$/i.test(name);
  // An item of a list may have several as well.
  const globs = listOf(isRule ? values.paths : values.applyTo)?.flatMap((item) => listOf(item) ?? []);
  const isWrong = globs === undefined && (isRule ? values.paths : values.applyTo) !== undefined;
  const member = isRule ? 'paths' : 'applyTo';
  return {
    ...described,
    text,
    scope: problems.length > 0 || isWrong ? { type: 'manual' } : scopeOf(globs, isRule),
    problems: isWrong ? [...problems, wrongGlobs(member, lineOf(member))] : problems,
  };
}

/** The rules of Claude Code apply to all files unless they name some; instructions of the editor do not. */
function scopeOf(globs: readonly string[] | undefined, isRule: boolean): InstructionScope {
  if (globs === undefined || globs.length === 0) return isRule ? ALWAYS : { type: 'manual' };
  return globs.some((glob) => ALL_FILES.has(glob)) ? ALWAYS : { type: 'files', globs };
}

function scopeOfFolder(folder: string): InstructionScope {
  // `.claude/CLAUDE.md` belongs to the folder around it.
  const around = folder.replace(/(?:^|\/)\.claude$/, '');
  return around === '' ? ALWAYS : { type: 'folder', folder: around };
}

function wrongGlobs(member: string, line: number): FileProblem {
  const message = l10n.t('“{0}” must be a glob, such as “**/*.ts”, or several with commas.', member);
  return { line, message, severity: 'error' };
}

function withoutMark(source: string): string {
  return source.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
