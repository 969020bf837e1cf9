import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationImages } from './conversationImages.ts';
import type { ConversationStore } from './conversationStore.ts';
import type { Attachment } from './record.ts';
import type { UnsentOwner } from './unsentAttachments.ts';

/** The key for the window of this workspace that last kept attachments. */
const OWNER_KEY = 'modelAccess.unsentOf';

/** The workspace state. */
interface StoredValues {
  get<T>(key: string): T | undefined;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** Keeps attachments when the window closes. The code is loaded with the first attachment. */
export class LazyUnsent {
  readonly #folder: string;
  readonly #owner: UnsentOwner;
  readonly #memory: StoredValues;
  readonly #onFailure: (error: unknown) => void;
  /** The IDs of the conversations whose attachments this window has on disk. */
  readonly #kept = new Set<string>();
  /** Changes run one at a time. */
  #last: Promise<void> = Promise.resolve();

  constructor(
    store: ConversationStore,
    { memory, onFailure }: { readonly memory: StoredValues; readonly onFailure: (error: unknown) => void },
  ) {
    this.#folder = join(store.folder, 'unsent');
    this.#owner = { writer: store.writer, pid: process.pid, workspace: store.workspace };
    this.#memory = memory;
    this.#onFailure = onFailure;
  }

  /** Stores the current attachments. Also resolves after a failure, which is passed to `onFailure`. */
  keep(conversationId: string, attachments: readonly Attachment[], images: ConversationImages): Promise<void> {
    this.#last = this.#last.then(() => this.#keep(conversationId, attachments, images)).catch(this.#onFailure);
    return this.#last;
  }

  /** Returns the attachments of this window, or else those of a closed one. Their images are held in `held`. */
  async restore(conversationId: string, held: ConversationImages): Promise<readonly Attachment[]> {
    await this.#last;
    const exists = await access(join(this.#folder, conversationId)).then(
      () => true,
      () => false,
    );
    if (!exists) return [];
    try {
      const unsent = await this.#files();
      const { attachments, images } = this.#kept.has(conversationId)
        ? await unsent.own(conversationId)
        : await unsent.claim(conversationId, this.#memory.get<string>(OWNER_KEY));
      if (attachments.length > 0) await this.#remember(conversationId);
      for (const { image } of attachments) {
        const data = image && images.get(image.file);
        if (image !== undefined && data !== undefined) held.hold(data, image.mediaType);
      }
      await unsent.purge(Date.now());
      return attachments;
    } catch (error) {
      this.#onFailure(error);
      return [];
    }
  }

  async #keep(conversationId: string, attachments: readonly Attachment[], images: ConversationImages): Promise<void> {
    if (attachments.length === 0 && !this.#kept.has(conversationId)) return;
    if (attachments.length === 0) this.#kept.delete(conversationId);
    else await this.#remember(conversationId);
    await (await this.#files()).save(conversationId, attachments, images.lookup);
  }

  async #files() {
    const { UnsentAttachments } = await import('./unsentAttachments.ts');
    return new UnsentAttachments(this.#folder, this.#owner);
  }

  /** Records this window as the owner, so that the next one finds its attachments. */
  async #remember(conversationId: string): Promise<void> {
    this.#kept.add(conversationId);
    await this.#memory.update(OWNER_KEY, this.#owner.writer);
  }
}
