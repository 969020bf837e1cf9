import * as l10n from '@vscode/l10n';
import { formatSum } from '../../display/money.ts';
import { formatLatency } from '../../display/time.ts';
import { formatShare, formatTokens } from '../../display/tokens.ts';
import type { SessionTurn } from '../../pages/session/protocol.ts';
import { PlotTable } from '../shared/plot/plotTable.tsx';
import { figureColumn, type TableColumn } from '../shared/sortableTable.tsx';
import { useStore } from './store.ts';
import { clockTime, hitRate } from './words.ts';

/** The numbers of all three plots as a table. */
export function TurnTable({ turns }: { readonly turns: readonly SessionTurn[] }) {
  const store = useStore();
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
    figureColumn('requests', l10n.t('Requests'), String),
    figureColumn('context', l10n.t('Context size'), formatTokens),
    figureColumn('uncached', l10n.t('Uncached'), formatTokens, 'from-900'),
    figureColumn('read', l10n.t('Read'), formatTokens, 'from-900'),
    figureColumn('written', l10n.t('Written'), formatTokens, 'from-900'),
    figureColumn('output', l10n.t('Output'), formatTokens, 'from-900'),
    // How long the client's tools ran, which only some clients say.
    ...(turns.some(({ toolMs }) => toolMs > 0)
      ? [
          figureColumn<SessionTurn>(
            'toolMs',
            l10n.t('Tool time'),
            (ms) => (ms === 0 ? '–' : formatLatency(ms)),
            'from-900',
          ),
        ]
      : []),
    {
      key: 'hits',
      label: l10n.t('Hit rate'),
      isFigure: true,
      value: (turn) => hitRate(turn) ?? 0,
      show: (turn) => formatShare(hitRate(turn) ?? 0),
    },
    figureColumn('avoidable', l10n.t('Avoidable'), (cost) => (cost === 0 ? '–' : formatSum(cost))),
    figureColumn('cost', l10n.t('Cost'), formatSum),
  ];
  return <PlotTable label={l10n.t('Turns')} columns={columns} rows={turns} rowKey={({ number }) => String(number)} />;
}
