import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../../display/errorCode.ts';
import { type Found, findOwner } from './ownerLink.ts';
import { readPresence, removePresence } from './presence.ts';
import type { SharedFiles } from './protocol.ts';

export interface Election<Owned> {
  readonly port: number;
  readonly files: SharedFiles;
  readonly secret: Buffer;
  /** Joins what runs, and opens nothing. */
  readonly onlyJoin: boolean;
  /** Binds the port. @throws the system's error when it is taken. */
  readonly open: () => Promise<Owned>;
}

export type Elected<Owned> =
  | { readonly role: 'owner'; readonly owned: Owned }
  | { readonly role: 'follower'; readonly found: Extract<Found, { kind: 'owner' }> }
  /** Nothing runs that could be joined. */
  | { readonly role: 'none' };

/** A port whose owner is just going is tried again after a moment, a different one for each that tries. */
const ATTEMPTS = 15;
const PAUSE_MS = { least: 10, most: 120 };

/**
 * Joins the gateway that runs, wherever that is, else opens it. The port is the mutex: of several that try at once one
 * can bind it, and the others find it there.
 * @throws what `open` throws, where something else has the port.
 */
export async function elect<Owned>(election: Election<Owned>): Promise<Elected<Owned>> {
  const { port, files, secret, onlyJoin, open } = election;
  for (let attempt = 1; ; attempt += 1) {
    const present = await readPresence(files.presence);
    const running = present === undefined ? undefined : await findOwner(present.port, secret);
    if (running?.kind === 'owner') return { role: 'follower', found: running };
    if (onlyJoin) {
      if (present !== undefined) await removePresence(files.presence, present.owner);
      return { role: 'none' };
    }
    try {
      return { role: 'owner', owned: await open() };
    } catch (error) {
      if (!hasCode(error, 'EADDRINUSE')) throw error;
      const found = await findOwner(port, secret);
      if (found.kind === 'owner') return { role: 'follower', found };
      if (found.kind === 'foreign' || attempt === ATTEMPTS) throw error;
    }
    await delay(randomInt(PAUSE_MS.least, PAUSE_MS.most));
  }
}
