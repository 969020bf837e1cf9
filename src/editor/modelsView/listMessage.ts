import * as l10n from '@vscode/l10n';
import { formatWhen } from '../../display/time.ts';
import type { ModelListState } from '../models/modelList.ts';

/**
 * The message above the models while they are from the last known list: when it was read, and why it could not be read
 * again. Empty for a current list.
 * @param now In milliseconds since the epoch.
 */
export function listMessage({ state, readAt, problem = '' }: ModelListState, now: number): string {
  if (state !== 'stale' || readAt === undefined) return '';
  return `${l10n.t('The last known list, read {0}.', formatWhen(readAt, now))} ${problem}`.trim();
}
