import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../display/money.ts';
import type { MissSums, UsageReport } from '../../pages/usage/protocol.ts';
import { Icon } from '../shared/icon.tsx';
import { missAdvice } from '../shared/missAdvice.ts';
import { missWord } from '../shared/missWord.ts';
import { Bars } from './bars.tsx';
import { boundsOfPeriod } from './slots.ts';
import { useStore } from './store.ts';
import { count } from './words.ts';

const MAX_CAUSES = 5;
/** Fewer misses may be a coincidence. */
const MIN_FOR_TIP = 5;

interface MissesProps {
  readonly report: UsageReport;
  readonly misses: readonly MissSums[];
}

/** The avoidable misses by cause, the most expensive first, and a tip against the one that costs most. */
export function CacheMisses({ report, misses }: MissesProps) {
  const store = useStore();
  const open = (reason: string) => store.openTraffic({ text: `miss:${reason}`, ...boundsOfPeriod(report.period) });
  const shown = misses.length > MAX_CAUSES + 1 ? misses.slice(0, MAX_CAUSES) : misses;
  const others = misses.slice(shown.length);
  return (
    <section class="section">
      <div class="plot-head">
        <h3>{l10n.t('Avoidable misses by cause')}</h3>
      </div>
      {misses.length === 0 && <p class="nothing">{l10n.t('No avoidable misses in this period')}</p>}
      <Bars
        color="misses"
        rows={[
          ...shown.map((miss) => ({
            ...rowOf(miss),
            key: miss.reason,
            name: missWord(miss.reason),
            title: l10n.t('Show these requests in Traffic'),
            onOpen: () => open(miss.reason),
          })),
          ...(others.length === 0
            ? []
            : [
                { ...rowOf(sumOf(others)), key: '', name: l10n.t('{0} others', others.length), color: 'series-others' },
              ]),
        ]}
      />
      <Tip misses={misses} onShow={open} />
    </section>
  );
}

function rowOf({ exchanges, cost }: Pick<MissSums, 'exchanges' | 'cost'>) {
  return { value: cost, text: `${count(exchanges)} · ${formatMoney(cost)}` };
}

function sumOf(misses: readonly MissSums[]): Pick<MissSums, 'exchanges' | 'cost'> {
  return {
    exchanges: misses.reduce((sum, { exchanges }) => sum + exchanges, 0),
    cost: misses.reduce((sum, { cost }) => sum + cost, 0),
  };
}

/** One tip at most, for the most expensive cause that occurs often and that the reader can do something about. */
function Tip({ misses, onShow }: { readonly misses: readonly MissSums[]; readonly onShow: (reason: string) => void }) {
  const miss = misses.find(({ reason, exchanges }) => exchanges >= MIN_FOR_TIP && missAdvice(reason) !== undefined);
  if (miss === undefined) return null;
  const { reason, exchanges } = miss;
  return (
    <div class="tip">
      <Icon name="lightbulb" />
      <div>
        <p>{l10n.t('{0}, {1} times. {2}.', missWord(reason), count(exchanges), missAdvice(reason) ?? '')}</p>
        <div class="links">
          <button type="button" class="link" onClick={() => onShow(reason)}>
            {l10n.t('Show the {0} requests', count(exchanges))}
          </button>
          <CachingLink label={l10n.t('How to avoid it')} />
        </div>
      </div>
    </div>
  );
}

/** Opens the page about caches: what they cost, why they miss, and what to do about it. */
export function CachingLink({ label }: { readonly label: string }) {
  const store = useStore();
  return (
    <button type="button" class="link" onClick={() => store.post({ type: 'openCaching' })}>
      {label}
    </button>
  );
}
