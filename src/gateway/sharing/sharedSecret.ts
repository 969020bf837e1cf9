import { randomBytes } from 'node:crypto';
import { open, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../../display/errors.ts';
import { ensurePrivateFolder } from '../../files/privateFiles.ts';

const SECRET_BYTES = 32;
const READ_ATTEMPTS = 10;
const READ_PAUSE_MS = 20;
const OTHERS = 0o077;

/**
 * Returns the secret with which the gateways of one user authenticate each other, and creates it if it does not exist.
 * Only the user may read the file. If several processes create it at the same time, the file system lets one succeed,
 * and the others wait for its content.
 * @throws the operating system's error if the file cannot be read or created, or an Error if it is invalid.
 */
export async function sharedSecret(path: string): Promise<Buffer> {
  // First, because restricting the folder also restricts the file, and others may have read it before.
  await checkPrivate(path);
  await ensurePrivateFolder(dirname(path));
  const made = await create(path);
  if (made !== undefined) return made;
  await checkPrivate(path);
  for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
    const secret = Buffer.from(await readFile(path, 'utf8'), 'base64url');
    if (secret.length === SECRET_BYTES) return secret;
    await delay(READ_PAUSE_MS);
  }
  throw new Error(`${path} is not valid. Remove it and start the gateway again.`);
}

async function create(path: string): Promise<Buffer | undefined> {
  try {
    const file = await open(path, 'wx', 0o600);
    const secret = randomBytes(SECRET_BYTES);
    await file.writeFile(secret.toString('base64url'));
    await file.close();
    return secret;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  }
}

/** Windows has no such mode bits; there, other users cannot access the user's folder. */
async function checkPrivate(path: string): Promise<void> {
  if (process.platform === 'win32' || !((await modeOf(path)) & OTHERS)) return;
  throw new Error(`Other users can read ${path}. Remove it and start the gateway again.`);
}

/** Returns 0 if the file does not exist. */
async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return 0;
    throw error;
  }
}
