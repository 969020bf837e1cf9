import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { entryCount, fileCount, resultCount } from '../../../agent/tools/notes.ts';
import { type AgentTool, defineTool, ToolError, type ToolOutcome, text } from '../../../agent/tools/tool.ts';
import { SKIPPED_FOLDERS } from '../../../files/paths.ts';
import { Guard, hasKey } from '../../chat/guard/guard.ts';
import { statOf } from '../../documents/ifFound.ts';
import { readText } from '../files.ts';
import { targetOf } from '../workspacePaths.ts';
import { type ReadFileOptions, readFileTool } from './readFileTool.ts';

const MAX_FILES = 20_000;
const MAX_LISTED = 500;
/** Files of a list whose links are followed. */
const MAX_LINKS = 2000;
const MAX_RESULTS = 200;
/** Each group in braces multiplies the patterns that are searched for. */
const MAX_PATTERN = 300;
const MAX_BRACES = 6;
const MAX_LINE = 300;
const MAX_SEARCHED_BYTES = 1024 * 1024;
/** How long the editor may look for files, in milliseconds. */
const MAX_SEARCH_MS = 20_000;
/** Files that are read at the same time. */
const MAX_PARALLEL_READS = 16;

export interface ReadToolOptions extends ReadFileOptions {
  readonly maxSearchMs?: number;
}

export function readTools({ maxSearchMs = MAX_SEARCH_MS, ...options }: ReadToolOptions = {}): AgentTool[] {
  return [readFileTool(options), listFiles(), findFiles(maxSearchMs), searchText(maxSearchMs)];
}

function listFiles(): AgentTool {
  const schema = z.object({ path: z.optional(text('Path of the folder. Default: the whole workspace.')) });
  const description = 'Lists the files and folders of a folder, except ignored ones.';
  return defineTool('list_files', description, schema, async ({ path = '' }) => {
    const target = await targetOf(path);
    const stat = await statOf(target.uri);
    if (stat === undefined) throw new ToolError(`${target.path} does not exist.`);
    if ((stat.type & vscode.FileType.Directory) === 0) throw new ToolError(`${target.path} is a file. Use read_file.`);
    return {
      action: { kind: 'list', object: path === '' ? '.' : target.path },
      ...(target.reason !== undefined && { need: { kind: 'file', subject: target.path, reason: target.reason } }),
      run: async () => {
        const found = await vscode.workspace.fs.readDirectory(target.uri);
        const guard = new Guard();
        const names: string[] = [];
        for (const [name, type] of found.sort(([a], [b]) => (a < b ? -1 : 1))) {
          const isFolder = (type & vscode.FileType.Directory) !== 0;
          const uri = vscode.Uri.joinPath(target.uri, name);
          if (name === '.git' || (await guard.findingByPath(uri, isFolder)) !== undefined) continue;
          names.push(isFolder ? `${name}/` : name);
        }
        return { text: listOf(names), action: { note: entryCount(names.length) } };
      },
    };
  });
}

function findFiles(maxSearchMs: number): AgentTool {
  const schema = z.object({ pattern: text('Glob pattern of paths, such as src/**/*.ts.') });
  const description = 'Finds files by a pattern of their paths, except ignored ones.';
  return defineTool('find_files', description, schema, ({ pattern }) => ({
    action: { kind: 'search', object: pattern },
    run: async ({ signal }) => {
      const { uris, isAll, ignored } = await filesOf(pattern, signal, maxSearchMs);
      const checked = await withoutFindings(uris.slice(0, MAX_LINKS));
      const paths = checked.map((uri) => vscode.workspace.asRelativePath(uri)).sort();
      const list = listOf(paths, Math.max(0, uris.length - MAX_LINKS));
      const notes = [...(paths.length === 0 ? ignoredNote(ignored) : []), ...(isAll ? [] : [NOT_ALL])];
      return {
        text: [list, ...notes].join('\n'),
        action: { note: fileCount(paths.length) },
      };
    },
  }));
}

function searchText(maxSearchMs: number): AgentTool {
  const schema = z.object({
    query: text('Text to search for. It is not a pattern.'),
    files: z.optional(text('Glob pattern of the files to search, such as src/**/*.ts.')),
    match_case: z.optional(z.boolean().check(z.describe('Whether the search is case-sensitive.'))),
  });
  const description = 'Searches the files of the workspace for a text. Returns paths, line numbers, and lines.';
  return defineTool('search_text', description, schema, ({ query, files = '**/*', match_case: exact = false }) => {
    if (query.trim() === '') throw new ToolError('The query is empty.');
    return {
      action: { kind: 'search', object: query },
      run: async ({ signal }) => {
        const normalize = (line: string) => (exact ? line : line.toLowerCase());
        const wanted = normalize(query);
        const { uris, isAll, ignored } = await filesOf(files, signal, maxSearchMs);
        const searched = await searchFiles(uris, (line) => normalize(line).includes(wanted), signal);
        const hits = searched.filter((hit) => hit.lines.length > 0);
        const lines = hits.flatMap((hit) => hit.lines);
        const found =
          lines.length === 0 ? ['Nothing was found.', ...ignoredNote(ignored)] : lines.slice(0, MAX_RESULTS);
        const more =
          lines.length > MAX_RESULTS ? [`[${lines.length - MAX_RESULTS} more results. Search for less.]`] : [];
        const notes = [...more, ...largeNote(searched.filter(({ isLarge }) => isLarge)), ...(isAll ? [] : [NOT_ALL])];
        return {
          text: [...found, ...notes].join('\n'),
          action: { note: resultCount(lines.length, hits.length) },
          ...sourceOf(hits),
        };
      },
    };
  });
}

const NOT_ALL = `[Only ${MAX_FILES} files were looked at. Name a folder in the pattern to look at others.]`;

/** Otherwise, a model takes files that it may not see for missing. */
function ignoredNote(count: number): readonly string[] {
  return count === 0 ? [] : [`[${count} ignored ${count === 1 ? 'file was' : 'files were'} not searched.]`];
}

function largeNote([first, ...others]: readonly FileHits[]): readonly string[] {
  if (first === undefined) return [];
  const names = others.length === 0 ? first.path : `${first.path} and ${others.length} more`;
  return [`[Not searched, because they are larger than 1 MB: ${names}. Search them with a command.]`];
}

/** What is found in one file comes from it, and otherwise from the search. */
function sourceOf([first, second]: readonly FileHits[]): Partial<Pick<ToolOutcome, 'source'>> {
  if (first === undefined) return {};
  return { source: second === undefined ? { name: first.path, isFile: true } : { name: 'search_text', isFile: false } };
}

/** The files that are not behind a link to an ignored file, or to one outside the workspace. */
async function withoutFindings(uris: readonly vscode.Uri[]): Promise<vscode.Uri[]> {
  const guard = new Guard();
  const checked = await Promise.all(uris.map((uri) => guard.check(uri)));
  return checked.flatMap(({ uri, finding }) => (finding === undefined ? [uri] : []));
}

async function filesOf(pattern: string, signal: AbortSignal, maxMs: number) {
  if (pattern.length > MAX_PATTERN || pattern.split('{').length > MAX_BRACES) {
    throw new ToolError('The pattern is too long. Search with several short ones.');
  }
  const found = await foundFiles(pattern, signal, maxMs);
  const uris = await new Guard().clearByPath(found);
  return { uris, isAll: found.length < MAX_FILES, ignored: found.length - uris.length };
}

/** @throws {ToolError} if the editor does not finish, as in virtual folders that cannot be searched. */
async function foundFiles(pattern: string, signal: AbortSignal, maxMs: number): Promise<readonly vscode.Uri[]> {
  const cancellation = new vscode.CancellationTokenSource();
  const late = Promise.withResolvers<undefined>();
  const give = () => late.resolve(undefined);
  const latest = setTimeout(give, maxMs);
  signal.addEventListener('abort', give);
  try {
    const search = vscode.workspace.findFiles(pattern, SKIPPED_FOLDERS, MAX_FILES, cancellation.token);
    const found = await Promise.race([search, late.promise]);
    if (found !== undefined) return found;
    throw new ToolError(
      signal.aborted
        ? 'The user stopped the search.'
        : `The editor did not find the files within ${maxMs / 1000} seconds. This folder may not support searching: use list_files and read_file.`,
    );
  } finally {
    clearTimeout(latest);
    signal.removeEventListener('abort', give);
    cancellation.cancel();
    cancellation.dispose();
  }
}

interface FileHits {
  readonly path: string;
  readonly lines: readonly string[];
  /** Whether it is too large to be searched. */
  readonly isLarge: boolean;
}

async function searchFiles(
  uris: readonly vscode.Uri[],
  matches: (line: string) => boolean,
  signal: AbortSignal,
): Promise<FileHits[]> {
  const guard = new Guard();
  const hits: FileHits[] = [];
  for (let from = 0; from < uris.length && !signal.aborted; from += MAX_PARALLEL_READS) {
    const found = await Promise.all(
      uris.slice(from, from + MAX_PARALLEL_READS).map((uri) => hitsIn(uri, matches, guard)),
    );
    hits.push(...found.filter(({ lines, isLarge }) => lines.length > 0 || isLarge));
  }
  return hits;
}

async function hitsIn(uri: vscode.Uri, matches: (line: string) => boolean, guard: Guard): Promise<FileHits> {
  const path = vscode.workspace.asRelativePath(uri);
  const checked = await guard.check(uri);
  if (checked.finding !== undefined) return { path, lines: [], isLarge: false };
  if (((await statOf(uri))?.size ?? 0) > MAX_SEARCHED_BYTES) return { path, lines: [], isLarge: true };
  const content = await searchedText({ uri, path, checked });
  const lines = linesWith(content, path, matches);
  // Lines of a file with keys are not shown. Looking for keys takes longer than searching, so it comes second.
  return { path, lines: lines.length > 0 && (await hasKey(content)) ? [] : lines, isLarge: false };
}

function linesWith(content: string, path: string, matches: (line: string) => boolean): string[] {
  return content.split(/\r?\n/).flatMap((line, index) => {
    if (!matches(line)) return [];
    return [`${path}:${index + 1}: ${line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line}`];
  });
}

/** Returns an empty text for a file that is not text, or cannot be read. */
async function searchedText(file: Parameters<typeof readText>[0]): Promise<string> {
  try {
    return await readText(file);
  } catch (error) {
    if (error instanceof ToolError || error instanceof vscode.FileSystemError) return '';
    throw error;
  }
}

/** @param others the number of names that are not in the list. */
function listOf(names: readonly string[], others = 0): string {
  if (names.length === 0) return 'There is nothing.';
  const more = names.length - MAX_LISTED + others;
  return [...names.slice(0, MAX_LISTED), ...(more > 0 ? [`[and ${more} more]`] : [])].join('\n');
}
