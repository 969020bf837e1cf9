/** Errors in the settings about upstreams, aliases, and routes. Loaded when there is one. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConnectionManager } from '../connection/connectionManager.ts';

export interface UpstreamProblems {
  /** Sentences with the path, the value, and what is allowed. */
  readonly upstreams: readonly string[];
  readonly aliases: readonly string[];
  readonly routes: readonly string[];
}

/** @param hasRoutes whether earlier routes are still used. */
export async function showProblems(
  problems: UpstreamProblems,
  hasRoutes: boolean,
  connection: ConnectionManager,
): Promise<void> {
  // Aliases and routes may name models of a service whose connection is being opened. They are then read again.
  const isOpening = connection.open === undefined && (await connection.isOpen());
  const { upstreams, aliases, routes } = isOpening ? { ...problems, aliases: [], routes: [] } : problems;
  const sentences = [...upstreams, ...aliases, ...routes];
  if (upstreams.length + aliases.length > 0) sentences.push(l10n.t('All other entries are used.'));
  if (routes.length > 0) sentences.push(routesInUseText(hasRoutes));
  if (sentences.length === 0) return;
  const setting = upstreams.length > 0 ? 'upstreams' : aliases.length > 0 ? 'gateway.aliases' : 'routes';
  void vscode.window.showWarningMessage(sentences.join(' '), l10n.t('Open Settings')).then((choice) => {
    if (choice === undefined) return undefined;
    return vscode.commands.executeCommand('workbench.action.openSettings', `modelAccess.${setting}`);
  });
}

function routesInUseText(hasRoutes: boolean): string {
  return hasRoutes
    ? l10n.t('The previous routes remain in use.')
    : l10n.t('No routes are used until this error is fixed.');
}
