import { DatabaseConnection } from './connection.ts';

const RECONNECT_MS = 500;

/** The channels on which the database announces changes. */
export type Channel = 'model_access_keys' | 'model_access_turns' | 'model_access_refusals';

/**
 * What the database announces, on a connection of its own. After it was lost, the connection is opened again until that
 * succeeds; announcements made meanwhile are missed.
 */
export class Announcements {
  readonly #connection: DatabaseConnection;
  readonly #listeners = new Map<string, (payload: string) => void>();
  #onMissed: () => void = () => undefined;
  #reconnecting: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(address: string) {
    this.#connection = new DatabaseConnection({
      address,
      name: 'announcements',
      onConnect: async (client) => {
        client.on('notification', ({ channel, payload = '' }) => this.#listeners.get(channel)?.(payload));
        for (const channel of this.#listeners.keys()) await client.query(`LISTEN ${channel}`);
      },
      onLost: () => this.#reconnectLater(),
    });
  }

  /** Must be called before {@link begin}. */
  on(channel: Channel, listener: (payload: string) => void): void {
    this.#listeners.set(channel, listener);
  }

  /** @throws {DatabaseError} */
  async begin(onMissed: () => void): Promise<void> {
    this.#onMissed = onMissed;
    await this.#connection.open();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#reconnecting);
    await this.#connection.close();
  }

  #reconnectLater(): void {
    if (this.#isClosed) return;
    this.#reconnecting = setTimeout(() => void this.#reconnect(), RECONNECT_MS).unref();
  }

  async #reconnect(): Promise<void> {
    try {
      await this.#connection.open();
    } catch {
      this.#reconnectLater();
      return;
    }
    this.#onMissed();
  }
}
