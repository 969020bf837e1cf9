import * as l10n from '@vscode/l10n';
import { formatWhen } from '../../display/time.ts';
import type { ModelListState } from '../models/modelList.ts';

/**
 * What stands above the models while they are those of an earlier list: when it was read, and why there is none of now.
 * Empty for a list of now.
 *
 * @param now in milliseconds since the epoch.
 */
export function listMessage({ state, readAt, problem = '' }: ModelListState, now: number): string {
  if (state !== 'stale' || readAt === undefined) return '';
  return `${l10n.t('The last known list, read {0}.', formatWhen(readAt, now))} ${problem}`.trim();
}
