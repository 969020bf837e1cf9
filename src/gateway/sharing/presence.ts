/** The file that says on which port the gateway of this user listens. Windows watch it to join. It holds no secret. */
import { randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import * as z from 'zod/mini';
import { replacePrivateFile } from '../../files/privateFiles.ts';
import { parseJson } from '../../service/json.ts';

const schema = z.object({ port: z.int().check(z.positive()), owner: z.string() });

type Presence = z.infer<typeof schema>;

/** `undefined` when there is none, or nothing that can be read as one. It may be stale: its owner may have been killed. */
export async function readPresence(path: string): Promise<Presence | undefined> {
  try {
    return schema.safeParse(parseJson(await readFile(path, 'utf8'))).data;
  } catch {
    return undefined;
  }
}

/** Replaces the file as a whole, so that nobody reads half of it. @returns the name of this owner. */
export async function writePresence(path: string, port: number): Promise<string> {
  const owner = randomUUID();
  await replacePrivateFile(path, JSON.stringify({ port, owner } satisfies Presence));
  return owner;
}

/** Removes what this owner has written; what a successor has written in the meantime stays. */
export async function removePresence(path: string, owner: string): Promise<void> {
  if ((await readPresence(path))?.owner === owner) await rm(path, { force: true });
}
