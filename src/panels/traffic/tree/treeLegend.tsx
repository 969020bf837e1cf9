import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import { useStore } from '../store.ts';

/** Explains the colors of the bars, and shows the total cost of avoidable misses. */
export function TreeLegend() {
  const store = useStore();
  const { sessions, withoutSession } = store.tree.sessions.value ?? { sessions: [] };
  const all = [...sessions, ...(withoutSession === undefined ? [] : [withoutSession])];
  const avoidable = all.reduce((sum, each) => sum + each.avoidable, 0);
  return (
    <footer class="legend tree-legend">
      <span aria-hidden="true">
        <i class="read" />
        {l10n.t('read from a cache')}
      </span>
      <span aria-hidden="true">
        <i class="written" />
        {l10n.t('written to a cache')}
      </span>
      <span aria-hidden="true">
        <i class="uncached" />
        {l10n.t('uncached')}
      </span>
      <span class="legend-end number">
        {l10n.t('Avoidable: {0} of {1}', formatSum(avoidable), formatSum(store.list.value?.cost ?? 0))}
      </span>
    </footer>
  );
}
