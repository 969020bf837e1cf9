/** The file with the port of this user's running gateway. Windows watch it in order to join. It contains no secret. */
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { replacePrivateFile } from '../../files/privateFiles.ts';
import { parseJson } from '../../formats/json.ts';

const schema = z.object({ port: z.int().check(z.positive()), owner: z.string() });

type Presence = z.infer<typeof schema>;

/**
 * Returns `undefined` if the file does not exist or is invalid. The content can be stale, because its owner may have
 * been killed.
 */
export async function readPresence(path: string): Promise<Presence | undefined> {
  try {
    return schema.safeParse(parseJson(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/**
 * Replaces the file atomically, so that no reader sees half of it.
 * @returns a unique name of this owner.
 */
export async function writePresence(path: string, port: number): Promise<string> {
  const owner = randomUUID();
  await replacePrivateFile(path, JSON.stringify({ port, owner } satisfies Presence));
  return owner;
}

/** Removes the file if this owner has written it. A successor's file stays. */
export async function removePresence(path: string, owner: string): Promise<void> {
  if ((await readPresence(path))?.owner === owner) await rm(path, { force: true });
}
