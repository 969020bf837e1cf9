import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCode } from '../../display/errors.ts';
import { ensurePrivateFolder, writePrivateFile } from '../../files/privateFiles.ts';
import { undefinedIfMissing } from '../../files/undefinedIfMissing.ts';
import type { StoredImage } from '../../rules/answer.ts';
import type { ConversationStore } from './conversationStore.ts';
import { type Entry, imagesOf } from './entry.ts';

/** The file extensions of the image types that all models accept. */
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** The names of image files. Other names in a conversation's records were not written by this extension. */
export const IMAGE_FILE = /^[0-9a-f]{64}\.(png|jpg|webp|gif)$/;

/**
 * The images of the conversation shown: in memory as base64, since each request contains them again, and, after they
 * were sent, on disk in a folder beside the conversation's file.
 */
export class ConversationImages {
  readonly #store: ConversationStore;
  /** By file name. */
  readonly #data = new Map<string, string>();

  constructor(store: ConversationStore) {
    this.#store = store;
  }

  readonly lookup = (file: string): string | undefined => this.#data.get(file);

  /**
   * Adds an image to memory; {@link keep} writes it. `data` is base64.
   * @throws for other image types.
   */
  hold(data: string, mediaType: string): StoredImage {
    const ending = ENDINGS[mediaType];
    if (ending === undefined) throw new Error(`Not an image format that models accept: ${mediaType}`);
    const file = `${createHash('sha256').update(data, 'base64').digest('hex')}.${ending}`;
    this.#data.set(file, data);
    return { file, mediaType };
  }

  /** Writes these images to the conversation's folder, unless they exist. */
  async keep(conversationId: string, images: readonly StoredImage[]): Promise<void> {
    for (const { file } of images) {
      const data = this.#data.get(file);
      if (data === undefined) continue;
      const folder = this.#store.imagesPath(conversationId);
      await ensurePrivateFolder(folder);
      await writeNew(join(folder, checked(file)), Buffer.from(data, 'base64'));
    }
  }

  /** Reads the images of these entries that are not in memory. Missing files are skipped. */
  async load(conversationId: string, entries: readonly Entry[]): Promise<void> {
    for (const { file } of imagesOf(entries)) await this.loadFile(conversationId, file);
  }

  /** Reads an image by its file name, unless it is in memory or missing. */
  async loadFile(conversationId: string, file: string): Promise<void> {
    if (this.#data.has(file)) return;
    const bytes = await undefinedIfMissing(readFile(join(this.#store.imagesPath(conversationId), checked(file))));
    if (bytes !== undefined) this.#data.set(file, bytes.toString('base64'));
  }
}

/** File names are read from files that anyone may have written, so they must not contain other paths. */
function checked(file: string): string {
  if (!IMAGE_FILE.test(file)) throw new Error(`Not the name of an image: ${file}`);
  return file;
}

async function writeNew(path: string, bytes: Buffer): Promise<void> {
  try {
    await writePrivateFile(path, bytes, 'wx');
  } catch (error) {
    // The name is derived from the content, so an existing file is the same.
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}
