import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ifThere } from '../../files/ifThere.ts';
import type { ImageLookup } from '../request.ts';
import { IMAGE_FILE } from './conversationImages.ts';
import type { Attachment } from './record.ts';

const LIST = 'attachments.json';

/** What nobody came back for is removed after this, in milliseconds. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

/** Attachments with the bytes of their images as base64, by the names of their files. */
export interface Unsent {
  readonly attachments: readonly Attachment[];
  readonly images: ReadonlyMap<string, string>;
}

/**
 * What is attached to a question that is not sent yet, on disk: a folder for each conversation, with a list and the
 * images. A list is replaced as a whole, so a crash leaves the one before.
 */
export class UnsentAttachments {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Keeps these in the place of those before; none leaves nothing behind. */
  async save(conversationId: string, attachments: readonly Attachment[], images: ImageLookup): Promise<void> {
    const folder = this.#folderOf(conversationId);
    if (attachments.length === 0) return rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const files = new Set(attachments.flatMap(({ image }) => image?.file ?? []));
    for (const file of files) {
      const data = images(file);
      if (data !== undefined) await writeFile(join(folder, file), data, 'base64');
    }
    const draft = join(folder, `${LIST}.new`);
    await writeFile(draft, JSON.stringify(attachments));
    await rename(draft, join(folder, LIST));
    for (const name of await readdir(folder)) {
      if (name !== LIST && !files.has(name)) await rm(join(folder, name), { force: true });
    }
  }

  /** @throws when the list is there and cannot be read. */
  async load(conversationId: string): Promise<Unsent> {
    const folder = this.#folderOf(conversationId);
    const list = await ifThere(readFile(join(folder, LIST), 'utf8'));
    const attachments: readonly Attachment[] = list === undefined ? [] : JSON.parse(list);
    const images = new Map<string, string>();
    for (const { image } of attachments) {
      if (image === undefined || !IMAGE_FILE.test(image.file)) continue;
      const data = await ifThere(readFile(join(folder, image.file), 'base64'));
      if (data !== undefined) images.set(image.file, data);
    }
    return { attachments, images };
  }

  /** Removes what was left long ago. `now` in milliseconds since the epoch. */
  async purge(now: number): Promise<void> {
    for (const name of (await ifThere(readdir(this.#folder))) ?? []) {
      const path = join(this.#folder, name);
      const found = await ifThere(stat(path));
      if (found !== undefined && now - found.mtimeMs > KEPT_MS) await rm(path, { recursive: true, force: true });
    }
  }

  #folderOf(conversationId: string): string {
    // The id comes back from stored state: it may not lead elsewhere.
    if (!/^[\w-]+$/.test(conversationId)) throw new Error(`Not the id of a conversation: ${conversationId}`);
    return join(this.#folder, conversationId);
  }
}
