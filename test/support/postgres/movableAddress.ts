import { connect, createServer, type Socket } from 'node:net';

/** An address that leads to one server at a time, as a balancer or a virtual IP does. */
export class MovableAddress {
  readonly #server = createServer((socket) => this.#lead(socket));
  readonly #sockets = new Set<Socket>();
  #target: URL;

  private constructor(target: URL) {
    this.#target = target;
  }

  /** @param target the address of a server, such as `postgres://tests:tests@127.0.0.1:5432`. */
  static async start(target: string): Promise<MovableAddress> {
    const address = new MovableAddress(new URL(target));
    await new Promise<void>((resolve) => address.#server.listen(0, '127.0.0.1', resolve));
    return address;
  }

  /** The address of a database on the server that it leads to. */
  of(database: string): string {
    const moved = new URL(this.#target);
    const bound = this.#server.address();
    moved.port = String(typeof bound === 'object' ? bound?.port : '');
    return `${moved.href.replace(/\/$/, '')}/${database}`;
  }

  /** Ends all connections. New ones lead to the other server. */
  move(target: string): void {
    this.#target = new URL(target);
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  #lead(socket: Socket): void {
    const onward = connect(Number(this.#target.port), this.#target.hostname);
    for (const [one, other] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      this.#sockets.add(one);
      one.pipe(other);
      one
        .on('error', () => other.destroy())
        .on('close', () => {
          this.#sockets.delete(one);
          other.destroy();
        });
    }
  }
}
