import * as l10n from '@vscode/l10n';
import { dayOf, formatDay } from './day.ts';
import { formatClock } from './time.ts';

/** The client's name in the records of the session of the sandbox that shows what an agent sends. */
export const SAMPLE_CLIENT = 'sample-agent';

/** Returns the name to show for a client of our own. */
export function ownClientWord(client: string | undefined): string | undefined {
  return client === SAMPLE_CLIENT ? l10n.t('Sample agent') : undefined;
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
