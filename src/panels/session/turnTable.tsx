import * as l10n from '@vscode/l10n';
import { formatSum } from '../../display/money.ts';
import { formatLatency } from '../../display/time.ts';
import { formatShare, formatTokens } from '../../display/tokens.ts';
import type { SessionTurn } from '../../pages/session/protocol.ts';
import { PlotTable } from '../shared/plot/plotTable.tsx';
import type { TableColumn } from '../shared/sortableTable.tsx';
import { useStore } from './store.ts';
import { clockTime, hitRate } from './words.ts';

/** The numbers of all three plots as a table. */
export function TurnTable({ turns }: { readonly turns: readonly SessionTurn[] }) {
  const store = useStore();
  const tokens = (key: 'context' | 'uncached' | 'read' | 'written' | 'output', label: string) => ({
    ...figure(
      key,
      label,
      (turn) => turn[key],
      (turn) => formatTokens(turn[key]),
    ),
    class: key === 'context' ? '' : 'from-900',
  });
  const columns: TableColumn<SessionTurn>[] = [
    {
      key: 'turn',
      label: l10n.t('Turn'),
      value: ({ number }) => number,
      show: (turn) => (
        <button
          type="button"
          class="name-link"
          title={l10n.t('Show these requests in Traffic')}
          onClick={() => store.showTurns([turn])}
        >
          {l10n.t('Turn {0}', turn.number)}
          <span class="quiet">{` ${clockTime(turn.from)}`}</span>
        </button>
      ),
    },
    figure(
      'requests',
      l10n.t('Requests'),
      ({ requests }) => requests,
      ({ requests }) => String(requests),
    ),
    tokens('context', l10n.t('Context size')),
    tokens('uncached', l10n.t('Uncached')),
    tokens('read', l10n.t('Read')),
    tokens('written', l10n.t('Written')),
    tokens('output', l10n.t('Output')),
    ...(turns.some(({ toolMs }) => toolMs > 0) ? [toolTime()] : []),
    figure(
      'hits',
      l10n.t('Hit rate'),
      (turn) => hitRate(turn) ?? 0,
      (turn) => formatShare(hitRate(turn) ?? 0),
    ),
    figure(
      'avoidable',
      l10n.t('Avoidable'),
      ({ avoidable }) => avoidable,
      ({ avoidable }) => (avoidable === 0 ? '–' : formatSum(avoidable)),
    ),
    figure(
      'cost',
      l10n.t('Cost'),
      ({ cost }) => cost,
      ({ cost }) => formatSum(cost),
    ),
  ];
  return <PlotTable label={l10n.t('Turns')} columns={columns} rows={turns} rowKey={({ number }) => String(number)} />;
}

/** How long the client's tools ran, which only some clients say. */
function toolTime(): TableColumn<SessionTurn> {
  const column = figure(
    'tools',
    l10n.t('Tool time'),
    ({ toolMs }) => toolMs,
    ({ toolMs }) => (toolMs === 0 ? '–' : formatLatency(toolMs)),
  );
  return { ...column, class: 'from-900' };
}

function figure(
  key: string,
  label: string,
  value: (turn: SessionTurn) => number,
  show: (turn: SessionTurn) => string,
): TableColumn<SessionTurn> {
  return { key, label, isFigure: true, value, show };
}
