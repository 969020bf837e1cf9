import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { constants, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';

/** Both outputs of a process. */
export interface OutputPipe {
  /** What the process writes to. To be closed once it has started, so that the other end ends with the last writer. */
  readonly writeEnd: number;
  readonly output: Readable;
}

/**
 * Opens a pipe of the system for both outputs of a process, so that they stay in the order in which they were written.
 * Node would connect it by two sockets, and Linux opens no socket as `/dev/stdout` or `/dev/stderr`.
 * @returns undefined where named pipes cannot be created, as on Windows.
 */
export async function outputPipe(): Promise<OutputPipe | undefined> {
  if (process.platform === 'win32') return undefined;
  const path = join(tmpdir(), `output-${randomUUID()}`);
  try {
    await promisify(execFile)('mkfifo', ['-m', '600', path]);
  } catch {
    return undefined;
  }
  try {
    // Otherwise, this would wait for a writer.
    const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    return { writeEnd: openSync(path, 'w'), output: new Socket({ fd: readEnd, readable: true, writable: false }) };
  } finally {
    await rm(path);
  }
}
