import * as l10n from '@vscode/l10n';
import type { OpenConnection } from '../../service/connection.ts';
import type { ConnectionManager } from './connectionManager.ts';

/** @throws with what to do, if there is no connection. */
export function requiredConnection({ open }: Pick<ConnectionManager, 'open'>): OpenConnection {
  if (open === undefined) throw new Error(l10n.t('Set a service key or try the sandbox first.'));
  return open;
}
