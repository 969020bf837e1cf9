import { createCipheriv, createDecipheriv } from 'node:crypto';
import type { Duplex } from 'node:stream';

const CIPHER = 'aes-256-gcm';
const TAG_BYTES = 16;
const NONCE_BYTES = 12;
/** Far longer than any list of keys, or a captured body of 4 MB as JSON. A longer frame is invalid. */
const MAX_FRAME_BYTES = 32 * 1024 * 1024;
/** The first message of a window has about 50 bytes. */
const MAX_UNPROVEN_BYTES = 4 * 1024;
const LENGTH_BYTES = 4;

export interface ChannelKeys {
  readonly send: Buffer;
  readonly receive: Buffer;
}

export interface ChannelOptions {
  /** Whether the other side has authenticated. If not, its first frame must be short. */
  readonly isProven: boolean;
}

/**
 * JSON messages over a socket, encrypted with AES-256-GCM. A frame consists of four bytes with the length of the rest,
 * the ciphertext, and its tag. Until the other side has authenticated with a valid frame, frames are limited to 4 KB.
 * The nonce of the cipher contains the frame's number, so that frames cannot be removed, repeated, or reordered. An
 * invalid frame closes the connection.
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

  /**
   * Starts to read. `onClose` is called once, whichever side has closed the connection. `head` contains bytes that were
   * already received.
   */
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

  /** Closes the connection after all messages were sent. */
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

  /** Returns `undefined` if the frame was not sealed by the other side or is not the next one. */
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

/**
 * Splits the bytes of a connection into frames: four bytes with the length, then the content. The pieces of a frame are
 * collected until it is complete, so that a long frame in small pieces is copied only once.
 */
class FrameReader {
  #pieces: Buffer[] = [];
  #bytes = 0;
  /** Length of the next frame, if it is known. */
  #wanted: number | undefined;

  /** A longer frame is invalid. */
  maxFrameBytes: number;

  constructor(maxFrameBytes: number) {
    this.maxFrameBytes = maxFrameBytes;
  }

  add(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#bytes += piece.length;
  }

  /**
   * Returns the next frame without its length, `undefined` if it is not complete, or `tooLong` if its length is
   * invalid.
   */
  take(): Buffer | 'tooLong' | undefined {
    if (this.#wanted === undefined) {
      if (this.#bytes < LENGTH_BYTES) return undefined;
      this.#wanted = this.#cut(LENGTH_BYTES).readUInt32BE();
    }
    if (this.#wanted > this.maxFrameBytes) return 'tooLong';
    if (this.#bytes < this.#wanted) return undefined;
    const frame = this.#cut(this.#wanted);
    this.#wanted = undefined;
    return frame;
  }

  clear(): void {
    this.#pieces = [];
    this.#bytes = 0;
    this.#wanted = undefined;
  }

  #cut(length: number): Buffer {
    const [first] = this.#pieces;
    const whole = this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces, this.#bytes);
    const rest = whole.subarray(length);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#bytes = rest.length;
    return whole.subarray(0, length);
  }
}

function framed(bytes: Buffer): Buffer {
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
