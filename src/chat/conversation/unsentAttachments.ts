import { readdir, readFile, rm, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { hasCode } from '../../display/errors.ts';
import { ensurePrivateFolder, replacePrivateFile, writePrivateFile } from '../../files/privateFiles.ts';
import { undefinedIfMissing } from '../../files/undefinedIfMissing.ts';
import type { ImageLookup } from '../request.ts';
import { IMAGE_FILE } from './conversationImages.ts';
import type { Attachment } from './record.ts';

const LIST = 'attachments.json';

/** Marks a list of which another window has a copy, until its writer changes it. */
const COPIED = 'copied';

/** Attachments that were not restored are removed after this time, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** The interval between checks whether a process has ended, in milliseconds. */
const LOOK_MS = 100;

/** Checks whether processes of other windows still run, and how long one gets to end, in milliseconds. */
export interface Processes {
  readonly isRunning: (pid: number) => boolean;
  readonly patienceMs: number;
}

const PROCESSES: Processes = { isRunning: isRunningProcess, patienceMs: 1500 };

/** Attachments, and the bytes of their images as base64, by file name. */
export interface Unsent {
  readonly attachments: readonly Attachment[];
  readonly images: ReadonlyMap<string, string>;
}

/** Identifies a window: its name as a writer of conversations, its process, and its workspace's URI. */
export interface UnsentOwner {
  readonly writer: string;
  readonly pid: number;
  readonly workspace: string | undefined;
}

interface StoredList extends Omit<UnsentOwner, 'writer'> {
  readonly attachments: readonly Attachment[];
}

interface StoredSet extends UnsentSet {
  readonly list: StoredList;
}

/**
 * Attachments of questions that are not sent yet, on disk: a folder for each conversation, and in it one for each
 * window, with a list and the images. A window writes only to its own folder. A list is replaced as a whole, so a crash
 * leaves the previous one.
 */
export class UnsentAttachments {
  readonly #folder: string;
  readonly #owner: UnsentOwner;
  readonly #processes: Processes;

  constructor(folder: string, owner: UnsentOwner, processes: Processes = PROCESSES) {
    this.#folder = folder;
    this.#owner = owner;
    this.#processes = processes;
  }

  /** Replaces this window's attachments. An empty list removes them. */
  async save(conversationId: string, attachments: readonly Attachment[], images: ImageLookup): Promise<void> {
    const { writer, pid, workspace } = this.#owner;
    const folder = this.#folderOf(conversationId, writer);
    if (attachments.length === 0) return this.#remove(conversationId, writer);
    await ensurePrivateFolder(folder);
    const files = new Set(attachments.flatMap(({ image }) => image?.file ?? []));
    for (const file of files) {
      const data = images(file);
      if (data !== undefined) await writePrivateFile(join(folder, file), Buffer.from(data, 'base64'));
    }
    const list: StoredList = { pid, workspace, attachments };
    await replacePrivateFile(join(folder, LIST), JSON.stringify(list));
    for (const name of await readdir(folder)) {
      if (name !== LIST && !files.has(name)) await rm(join(folder, name), { force: true });
    }
  }

  /** What this window has stored for a conversation. */
  async own(conversationId: string): Promise<Unsent> {
    const folder = this.#folderOf(conversationId, this.#owner.writer);
    const attachments = (await readList(folder))?.attachments ?? [];
    return { attachments, images: await imagesOf(attachments, folder) };
  }

  /**
   * Restores what a closed window of this workspace left, as this window's own attachments. `remembered` is the window
   * named in the workspace state.
   * @throws if a list exists and cannot be read.
   */
  async claim(conversationId: string, remembered: string | undefined): Promise<Unsent> {
    const sets = await this.#readableSets(conversationId, remembered);
    const chosen = chooseUnsentSet(sets, { remembered, workspace: this.#owner.workspace });
    const list = sets.find(({ writer }) => writer === chosen?.writer)?.list;
    if (chosen === undefined || list === undefined) return { attachments: [], images: new Map() };
    const folder = this.#folderOf(conversationId, chosen.writer);
    const images = await imagesOf(list.attachments, folder);
    await this.save(conversationId, list.attachments, (file) => images.get(file));
    if (chosen.isAlive) await writePrivateFile(join(folder, COPIED), '');
    else await this.#remove(conversationId, chosen.writer);
    return { attachments: list.attachments, images };
  }

  /**
   * Removes attachments that are too old, and copied ones whose window was closed. `now` is in milliseconds since the
   * epoch.
   */
  async purge(now: number): Promise<void> {
    for (const conversationId of await namesIn(this.#folder)) {
      for (const writer of await namesIn(join(this.#folder, conversationId))) {
        const path = join(this.#folder, conversationId, writer);
        const changedAt = (await undefinedIfMissing(stat(path)))?.mtimeMs ?? now;
        if (now - changedAt > KEPT_MS || (await this.#isLeftCopy(path))) await this.#remove(conversationId, writer);
      }
    }
  }

  /** Removes a window's attachments of a conversation, and the conversation's folder if it is then empty. */
  async #remove(conversationId: string, writer: string): Promise<void> {
    const folder = this.#folderOf(conversationId);
    await rm(this.#folderOf(conversationId, writer), { recursive: true, force: true });
    if ((await undefinedIfMissing(readdir(folder)))?.length === 0) await undefinedIfMissing(rmdir(folder));
  }

  async #isLeftCopy(path: string): Promise<boolean> {
    if ((await undefinedIfMissing(stat(join(path, COPIED)))) === undefined) return false;
    const list = await readList(path);
    return list === undefined || !this.#processes.isRunning(list.pid);
  }

  /** Reads the lists, and waits for a host that is being reloaded to end, so that its attachments can be restored. */
  async #readableSets(conversationId: string, remembered: string | undefined): Promise<StoredSet[]> {
    const until = Date.now() + this.#processes.patienceMs;
    for (;;) {
      const sets = await this.#setsOf(conversationId);
      const isOpen = sets.some(({ writer, isAlive }) => writer === remembered && isAlive);
      if (!isOpen || Date.now() >= until) return sets;
      await setTimeout(LOOK_MS);
    }
  }

  /** All lists except the copied ones and this window's own. */
  async #setsOf(conversationId: string): Promise<StoredSet[]> {
    const sets: StoredSet[] = [];
    for (const writer of await namesIn(this.#folderOf(conversationId))) {
      const folder = this.#folderOf(conversationId, writer);
      const isCopied = (await undefinedIfMissing(stat(join(folder, COPIED)))) !== undefined;
      const list = isCopied || writer === this.#owner.writer ? undefined : await readList(folder);
      if (list === undefined) continue;
      const { mtimeMs: savedAt } = await stat(join(folder, LIST));
      sets.push({ writer, workspace: list.workspace, isAlive: this.#processes.isRunning(list.pid), savedAt, list });
    }
    return sets;
  }

  #folderOf(...names: readonly string[]): string {
    // IDs are also read from stored state, and must not lead out of the folder.
    for (const name of names) if (!/^[\w-]+$/.test(name)) throw new Error(`Not the id of a conversation: ${name}`);
    return join(this.#folder, ...names);
  }
}

/** The folder's subfolders. Empty if the folder does not exist. */
async function namesIn(folder: string): Promise<string[]> {
  const entries = (await undefinedIfMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

async function readList(folder: string): Promise<StoredList | undefined> {
  const text = await undefinedIfMissing(readFile(join(folder, LIST), 'utf8'));
  return text === undefined ? undefined : JSON.parse(text);
}

async function imagesOf(attachments: readonly Attachment[], folder: string): Promise<Map<string, string>> {
  const images = new Map<string, string>();
  for (const { image } of attachments) {
    if (image === undefined || !IMAGE_FILE.test(image.file)) continue;
    const data = await undefinedIfMissing(readFile(join(folder, image.file), 'base64'));
    if (data !== undefined) images.set(image.file, data);
  }
  return images;
}

/** Whether a process with this ID runs on this machine. It may be another process that reuses the ID. */
function isRunningProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists but belongs to another user.
    return hasCode(error, 'EPERM');
  }
}

/** The attachments of an unsent question that a window left on disk. */
interface UnsentSet {
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
function chooseUnsentSet(
  left: readonly UnsentSet[],
  { remembered, workspace }: { readonly remembered: string | undefined; readonly workspace: string | undefined },
): UnsentSet | undefined {
  const own = left.find(({ writer }) => writer === remembered);
  if (own?.isAlive === false) return own;
  const orphans = left.filter((one) => !one.isAlive && workspace !== undefined && one.workspace === workspace);
  return orphans.sort((a, b) => b.savedAt - a.savedAt)[0] ?? own;
}
