import * as l10n from '@vscode/l10n';
import { dayOf, formatDay } from './day.ts';
import { formatClock } from './time.ts';

/** The client's name in the records of requests that a replay has sent again. */
export const REPLAY_CLIENT = 'model-access-replay';

/** Returns the client's name to show: requests of a replay are not those of the tool whose key they use. */
export function replayWord(client: string | undefined): string | undefined {
  return client === REPLAY_CLIENT ? l10n.t('Replay') : undefined;
}

/**
 * Names a session that has no title: `Terminal agent · 21 Nov 14:02`.
 * @param at the start of the session, in milliseconds since the epoch.
 */
export function sessionName(tool: string, at: number): string {
  return `${tool} · ${startText(at)}`;
}

/** The day and the time of day, such as `18 Nov 14:05`. */
export function startText(at: number): string {
  return `${formatDay(dayOf(at))} ${formatClock(at)}`;
}
