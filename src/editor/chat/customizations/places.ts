/** Where files with instructions, skills, and agents are, in the workspace and among the user's own. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { matchesGlob } from '../../../agent/customizations/glob.ts';
import type { FileProblem } from '../../../chat/prompts/frontMatter.ts';
import { SKIPPED_FOLDERS, SKIPPED_NAMES } from '../../../files/paths.ts';
import { type Location, locationsOf } from './locations.ts';

/** A file that was found by its place. */
export interface PlacedFile {
  readonly uri: vscode.Uri;
  /** The path that is shown. */
  readonly path: string;
  readonly isUsers: boolean;
  /** The path in its workspace folder, or below the user's folder. */
  readonly inner: string;
  /** The start of shown paths in its workspace folder. Undefined for the user's own. */
  readonly root?: string;
}

/** Such a file with its text, which is empty if it cannot be used. */
export interface ReadFile extends PlacedFile {
  readonly text: string;
  /** The path after links were followed. */
  readonly realPath: string;
  readonly problems: readonly FileProblem[];
}

export interface PlacedFiles {
  readonly instructions: readonly PlacedFile[];
  readonly skills: readonly PlacedFile[];
  readonly agents: readonly PlacedFile[];
}

/** A folder with such files: of the workspace, or the user's home. */
interface Base {
  readonly uri: vscode.Uri;
  readonly isUsers: boolean;
  /** What is shown before a path in it. */
  readonly shown: string;
}

type Kind = keyof PlacedFiles;
/** A path of a file, or of a folder with the test of the names of files in it. The first ones take precedence. */
type Place = readonly [path: string, test?: RegExp];

const ANY = /\.md$/i;
const INSTRUCTIONS = /\.instructions\.md$/i;
const SKILL = /^SKILL\.md$/;
/** A file in a folder for agents that describes the folder. */
const README = /^readme\.md$/i;

const OF_WORKSPACE: Readonly<Record<Kind, readonly Place[]>> = {
  instructions: [
    ['AGENTS.md'],
    ['CLAUDE.md'],
    ['.claude/CLAUDE.md'],
    ['CLAUDE.local.md'],
    ['.github/copilot-instructions.md'],
    ['.github/instructions', INSTRUCTIONS],
    ['.claude/rules', ANY],
  ],
  skills: [
    ['.agents/skills', SKILL],
    ['.github/skills', SKILL],
    ['.claude/skills', SKILL],
  ],
  agents: [
    ['.github/agents', ANY],
    ['.claude/agents', ANY],
  ],
};

const OF_USER: Readonly<Record<Kind, readonly Place[]>> = {
  instructions: [
    ['.agents/AGENTS.md'],
    ['.copilot/copilot-instructions.md'],
    ['.claude/CLAUDE.md'],
    ['.copilot/instructions', INSTRUCTIONS],
    ['.claude/rules', ANY],
  ],
  skills: [
    ['.agents/skills', SKILL],
    ['.copilot/skills', SKILL],
    ['.claude/skills', SKILL],
  ],
  agents: [
    ['.agents/agents', ANY],
    ['.copilot/agents', ANY],
    ['.claude/agents', ANY],
  ],
};

/** The editor's folder for prompts, in the user's profile. */
const OF_PROFILE: Readonly<Record<Kind, readonly Place[]>> = {
  instructions: [['', INSTRUCTIONS]],
  skills: [],
  agents: [['', /\.agent\.md$/i]],
};

/** The editor's settings with further folders. */
const SETTINGS: Readonly<Record<Kind, string>> = {
  instructions: 'chat.instructionsFilesLocations',
  skills: 'chat.agentSkillsLocations',
  agents: 'chat.agentFilesLocations',
};
/** The names of files in these folders. */
const ADDED: Readonly<Record<Kind, RegExp>> = { instructions: INSTRUCTIONS, skills: SKILL, agents: ANY };

/** The files of these names that count for their folder. */
const IN_FOLDERS = '**/{AGENTS.md,CLAUDE.md,CLAUDE.local.md}';
/** An `AGENTS.md` within a skill is a text of the skill. */
const OF_SKILL = /\/\.(?:agents|claude|github)\/skills\//;
/** Changes of these files are noticed at once. */
export const WATCHED = `**/{AGENTS.md,CLAUDE.md,CLAUDE.local.md,SKILL.md,*instructions.md,*.agent.md,.claude/**/*.md,.github/agents/*.md}`;

const MAX_DEPTH = 5;
const MAX_FILES = 1000;
const MAX_NESTED = 500;
/** How long the editor may look for files in folders, in milliseconds. */
const MAX_SEARCH_MS = 10_000;

/**
 * Finds the files. Those of an untrusted workspace are not looked for, because others control them.
 * @param prompts the editor's folder for prompts.
 */
export async function findFiles(prompts: vscode.Uri): Promise<PlacedFiles> {
  const profile: Base = { uri: prompts, isUsers: true, shown: 'prompts/' };
  const bases = basesOfWorkspace();
  const users = baseOfUser();
  const find = async (kind: Kind) => {
    const { added, off } = locationsOf(SETTINGS[kind]);
    const found = await Promise.all([
      ...bases.map((base) => filesIn(base, withoutOff(OF_WORKSPACE[kind], '', off))),
      filesIn(users, withoutOff(OF_USER[kind], '~/', off)),
      filesIn(profile, OF_PROFILE[kind]),
      ...added.map((location) => filesAt(location, ADDED[kind])),
    ]);
    return uniqueByUri(found.flat());
  };
  const [instructions, nested, skills, agents] = await Promise.all([
    find('instructions'),
    nestedFiles(bases),
    find('skills'),
    find('agents'),
  ]);
  const known = new Set(instructions.map(({ path }) => path));
  return { instructions: [...instructions, ...nested.filter(({ path }) => !known.has(path))], skills, agents };
}

function withoutOff(places: readonly Place[], start: string, off: ReadonlySet<string>): readonly Place[] {
  return places.filter(([path]) => !off.has(start + path));
}

function baseOfUser(): Base {
  return { uri: vscode.Uri.file(homedir()), isUsers: true, shown: '~/' };
}

function basesOfWorkspace(): readonly Base[] {
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
  return folders.map(({ uri, name }) => ({ uri, isUsers: false, shown: folders.length > 1 ? `${name}/` : '' }));
}

/** The files of a folder of the settings, or the file itself. Of a pattern, those that it matches, or whose folder does. */
export async function filesAt({ uri, written, isUsers }: Location, test: RegExp): Promise<readonly PlacedFile[]> {
  const bases = [...basesOfWorkspace(), baseOfUser()];
  const around = bases.find((one) => one.isUsers === isUsers && `${uri.path}/`.startsWith(`${one.uri.path}/`));
  const base = around ?? { uri: uri.with({ path: '/' }), isUsers, shown: '/' };
  const path = uri.path.slice(base.uri.path === '/' ? 1 : base.uri.path.length + 1);
  const isNamed = test.test(uri.path) && (await isFile(uri));
  const found = await filesIn(base, [isNamed ? [path] : [path, test]]);
  if (!/[*?{[]/.test(written)) return found;
  const glob = written.replace(/^~\//, '');
  return found.filter(({ inner }) => matchesGlob(glob, inner) || matchesGlob(`${glob}/**`, inner));
}

/** A folder of the settings is often one of the usual places. */
function uniqueByUri(files: readonly PlacedFile[]): readonly PlacedFile[] {
  const seen = new Set<string>();
  return files.filter(({ uri }) => !seen.has(uri.toString()) && seen.add(uri.toString()));
}

async function filesIn(base: Base, places: readonly Place[]): Promise<readonly PlacedFile[]> {
  const found = await Promise.all(
    places.map(async ([path, test]) => {
      if (test === undefined) return (await isFile(vscode.Uri.joinPath(base.uri, path))) ? [path] : [];
      const isForSkills = test === SKILL;
      const paths: string[] = [];
      await gather(base, path, { test, isForSkills, depth: isForSkills ? 3 : MAX_DEPTH }, paths);
      return paths.sort();
    }),
  );
  return found.flat().map((inner) => placed(base, inner));
}

interface Wanted {
  readonly test: RegExp;
  /** Folders below a folder with a skill belong to that skill. */
  readonly isForSkills: boolean;
  readonly depth: number;
  /** Whether a link led here. Further ones are not followed, because they may lead back. */
  readonly isLinked?: boolean;
}

async function gather(base: Base, path: string, wanted: Wanted, found: string[]): Promise<void> {
  const entries = await entriesOf(vscode.Uri.joinPath(base.uri, path));
  const inner = (name: string) => (path === '' ? name : `${path}/${name}`);
  const files = entries.filter(([name, type]) => (type & vscode.FileType.File) !== 0 && wanted.test.test(name));
  for (const [name] of files) if (!README.test(name) && found.length < MAX_FILES) found.push(inner(name));
  if (wanted.depth === 0 || (wanted.isForSkills && files.length > 0)) return;
  const folders = entries.filter(
    ([name, type]) =>
      (type & vscode.FileType.Directory) !== 0 &&
      !SKIPPED_NAMES.includes(name) &&
      !(wanted.isLinked === true && isLink(type)),
  );
  const next = { ...wanted, depth: wanted.depth - 1 };
  await Promise.all(
    folders.map(([name, type]) => gather(base, inner(name), isLink(type) ? { ...next, isLinked: true } : next, found)),
  );
}

function isLink(type: vscode.FileType): boolean {
  return (type & vscode.FileType.SymbolicLink) !== 0;
}

function placed(base: Base, inner: string): PlacedFile {
  const { isUsers, shown } = base;
  const uri = vscode.Uri.joinPath(base.uri, inner);
  return { uri, path: `${shown}${inner}`, isUsers, inner, ...(!isUsers && { root: shown }) };
}

/** Files of folders below the workspace folders, those of outer folders first. */
async function nestedFiles(bases: readonly Base[]): Promise<readonly PlacedFile[]> {
  if (bases.length === 0) return [];
  const cancellation = new vscode.CancellationTokenSource();
  const timer = setTimeout(() => cancellation.cancel(), MAX_SEARCH_MS);
  try {
    const uris = await vscode.workspace.findFiles(IN_FOLDERS, SKIPPED_FOLDERS, MAX_NESTED, cancellation.token);
    return uris
      .filter(({ path }) => !OF_SKILL.test(path))
      .flatMap((uri) => {
        const base = bases.find((one) => uri.path.startsWith(`${one.uri.path}/`));
        return base === undefined ? [] : placed(base, uri.path.slice(base.uri.path.length + 1));
      })
      .sort((a, b) => a.inner.split('/').length - b.inner.split('/').length || (a.path < b.path ? -1 : 1));
  } finally {
    clearTimeout(timer);
    cancellation.dispose();
  }
}

export async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return false;
    throw error;
  }
}

/** Empty for a folder that does not exist, or that the user may not read. */
export async function entriesOf(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}
