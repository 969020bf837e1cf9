import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Row } from '../rows/row.ts';
import type { RouteMove } from './routeMoves.ts';

/** A row for a route that failover has moved. It stays until the route's first model answers again. */
export function movedRouteRow({ route, rule, from, to, exchange }: RouteMove): Row {
  const label = l10n.t('{0} moved to {1}', route, to);
  const traffic = { exchange };
  return {
    id: `moved:${route}:${rule ?? ''}:${from}`,
    label,
    description: l10n.t('instead of {0}', from),
    tooltip: l10n.t(
      '{0} answers the requests for the route {1} because {2} failed. They return to {2} once it is available again. Select to show the first request that moved.',
      to,
      route,
      from,
    ),
    icon: new vscode.ThemeIcon('type-hierarchy-sub', new vscode.ThemeColor('list.warningForeground')),
    kind: 'movedRoute',
    traffic,
    command: { command: 'modelAccess.openTraffic', title: label, arguments: [traffic] },
  };
}
