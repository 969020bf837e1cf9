import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { FrameReader, framed } from './frameReader.ts';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** Far more than any list of keys, and than a captured body of 4 MB as JSON; a length beyond it is nonsense. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;
/** The first words of a window have some 50. */
const MAX_UNPROVEN_BYTES = 4 * 1024;

export interface ChannelKeys {
  readonly send: Buffer;
  readonly receive: Buffer;
}

export interface ChannelOptions {
  /** The other side has proved itself: its first frame may be as long as any. */
  readonly isProven: boolean;
}

/**
 * JSON messages over a socket, sealed with AES-256-GCM: a frame is the length of what follows in four bytes, the sealed
 * text, and its tag. As long as the other side has not proved itself by a frame that opens, it may send 4 KB. Frames are
 * numbered in the cipher's nonce, so none can be removed, repeated or moved. What does
 * not open ends the connection.
 */
export class SealedChannel {
  readonly #socket: Duplex;
  readonly #keys: ChannelKeys;
  readonly #frames: FrameReader;
  #sent = 0n;
  #opened = 0n;
  #onMessage: (message: unknown) => void = () => undefined;

  constructor(socket: Duplex, keys: ChannelKeys, { isProven }: ChannelOptions) {
    this.#socket = socket;
    this.#keys = keys;
    this.#frames = new FrameReader(isProven ? MAX_FRAME_BYTES : MAX_UNPROVEN_BYTES);
  }

  /** Begins to read. `onClose` is called once, whoever ended it. `head` has come already. */
  start(head: Buffer, onMessage: (message: unknown) => void, onClose: () => void): void {
    this.#onMessage = onMessage;
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#socket.on('end', () => this.#socket.end());
    this.#socket.once('close', onClose);
    if (head.length > 0) this.#receive(head);
  }

  send(message: unknown): void {
    if (this.#socket.writable) this.#socket.write(this.#seal(JSON.stringify(message)));
  }

  /** What was sent still arrives. */
  end(): void {
    this.#socket.end();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  #seal(text: string): Buffer {
    const cipher = createCipheriv(CIPHER, this.#keys.send, nonce(this.#sent));
    this.#sent += 1n;
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
    return framed(sealed);
  }

  #receive(chunk: Buffer): void {
    if (this.#socket.destroyed) return;
    this.#frames.add(chunk);
    for (let frame = this.#frames.take(); frame !== undefined; frame = this.#frames.take()) {
      const message = frame === 'tooLong' ? undefined : this.#open(frame);
      if (message === undefined) {
        this.#frames.clear();
        this.destroy();
        return;
      }
      this.#frames.maxFrameBytes = MAX_FRAME_BYTES;
      this.#onMessage(message.value);
    }
  }

  /** `undefined` when it was not sealed by the other side, or not as the next one. */
  #open(frame: Buffer): { readonly value: unknown } | undefined {
    if (frame.length < TAG_BYTES) return undefined;
    try {
      const decipher = createDecipheriv(CIPHER, this.#keys.receive, nonce(this.#opened), { authTagLength: TAG_BYTES });
      decipher.setAuthTag(frame.subarray(-TAG_BYTES));
      const text = Buffer.concat([decipher.update(frame.subarray(0, -TAG_BYTES)), decipher.final()]);
      this.#opened += 1n;
      return { value: JSON.parse(text.toString('utf8')) };
    } catch {
      return undefined;
    }
  }
}

function nonce(number: bigint): Buffer {
  const bytes = Buffer.alloc(NONCE_BYTES);
  bytes.writeBigUInt64BE(number, NONCE_BYTES - 8);
  return bytes;
}
