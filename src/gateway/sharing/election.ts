import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from '../../display/errors.ts';
import { type Found, findOwner } from './ownerLink.ts';
import { readPresence, removePresence } from './presence.ts';
import type { SharedFiles } from './protocol.ts';

export interface Election<Owned> {
  readonly port: number;
  readonly files: SharedFiles;
  readonly secret: Buffer;
  /** Joins a running gateway, but does not start one. */
  readonly onlyJoin: boolean;
  /**
   * Binds the port.
   * @throws the operating system's error if the port is taken.
   */
  readonly open: () => Promise<Owned>;
}

export type Elected<Owned> =
  | { readonly role: 'owner'; readonly owned: Owned }
  | { readonly role: 'follower'; readonly found: Extract<Found, { kind: 'owner' }> }
  /** There is no running gateway to join. */
  | { readonly role: 'none' };

/** A port whose owner is just closing is tried again after a random pause. */
const ATTEMPTS = 15;
const PAUSE_MS = { min: 10, max: 120 };

/**
 * Joins the running gateway of any window, or else opens one. The port is the mutex: if several windows try at the same
 * time, one binds it, and the others find that one.
 * @throws the error of `open` if another program uses the port.
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
    await delay(randomInt(PAUSE_MS.min, PAUSE_MS.max));
  }
}
