import * as l10n from '@vscode/l10n';
import { Button, LinkButton } from '../shared/button.tsx';
import './styles/index.css';
import { useEffect, useRef, useState } from 'preact/hooks';
import { formatSum } from '../../display/money.ts';
import { outcomeOf } from '../../rules/exchange.ts';
import { Icon } from '../shared/icon.tsx';
import { Problem } from '../shared/note.tsx';
import { pageStarter } from '../shared/pageStore.ts';
import { Detail } from './detail/detail.tsx';
import { ExchangeGrid } from './list/exchangeGrid.tsx';
import { StoreProvider, TrafficStore, useStore } from './store.ts';
import { Toolbar } from './toolbar.tsx';
import { TreeGrid } from './tree/treeGrid.tsx';
import { clockTime, exchangesText, resultWord } from './words.ts';

/** The whole view. It is empty until the host's first message. */
function TrafficPage() {
  const store = useStore();
  const list = store.list.value;
  if (list === undefined) return null;
  const isOpen = store.open.value !== undefined;
  const isTree = list.choice.view === 'sessions';
  const closeDetail = () => {
    store.closeExchange();
    // Closing the details may show the list again, so it can only be focused in the next frame.
    requestAnimationFrame(() => document.getElementById('exchanges')?.focus());
  };
  return (
    <main class={`traffic ${isOpen ? 'with-detail' : ''}`}>
      <h1 class="hidden-text">{l10n.t('Traffic')}</h1>
      <Toolbar />
      <Comparing />
      <Announcement />
      <div class="panes">
        <section
          class="list"
          aria-label={l10n.t('Traffic')}
          onKeyDown={(event) => isOpen && event.key === 'Escape' && closeDetail()}
        >
          {list.problem !== undefined && (
            <Problem title={l10n.t('Could not read past requests')} problem={list.problem} />
          )}
          {isTree ? <TreePane /> : <ListPane />}
        </section>
        {isOpen && <Detail onClose={closeDetail} />}
      </div>
    </main>
  );
}

function ListPane() {
  return (
    <>
      {useStore().rows.value.length === 0 ? <Empty /> : <ExchangeGrid />}
      <Legend />
    </>
  );
}

function TreePane() {
  const { tree } = useStore();
  const sessions = tree.sessions.value;
  if (sessions === undefined) return null;
  const hasSessions = sessions.count > 0;
  return (
    <>
      {!hasSessions && sessions.withoutSession !== undefined && (
        <p class="tree-note">{l10n.t('No sessions yet. Tools that name their session are grouped here.')}</p>
      )}
      {tree.nodes.value.length === 0 ? <Empty /> : <TreeGrid />}
      <TreeLegend />
    </>
  );
}

/** Asks for the request to compare with, until one is opened or the comparison is canceled. */
function Comparing() {
  const store = useStore();
  const row = store.compared.value;
  if (row === undefined) return null;
  return (
    <p class="comparing" role="status">
      <Icon name="git-compare" size={14} />
      {l10n.t('Open the request to compare {0} of {1} with.', row.model ?? '', clockTime(row.at))}
      <LinkButton label={l10n.t('Cancel')} onClick={() => store.compareWith(undefined)} />
    </p>
  );
}

function Empty() {
  const store = useStore();
  const { view, ...choice } = store.choice;
  const viewContext = store.viewContext.value;
  if (Object.keys(choice).length > 0) {
    return (
      <div class="empty">
        <p>{l10n.t('No requests match.')}</p>
        <Button label={l10n.t('Clear filter')} onClick={() => store.choose(view === undefined ? {} : { view })} />
      </div>
    );
  }
  return (
    <div class="empty">
      <Icon name="pulse" />
      <p>{l10n.t('Send a request through the gateway to see it here')}</p>
      {viewContext?.address !== undefined && <code>{viewContext.address}</code>}
      {(viewContext?.gateway === 'off' || viewContext?.gateway === 'failed') && (
        <Button primary label={l10n.t('Start gateway')} onClick={() => store.post({ type: 'startGateway' })} />
      )}
    </div>
  );
}

function Legend() {
  const marks = [
    ['queue', l10n.t('in the gateway')],
    ['wait', l10n.t('waiting for first byte')],
    ['receive', l10n.t('receiving')],
    ['attempt', l10n.t('failed attempt')],
    ['wait long', l10n.t('waited more than 5 s')],
  ];
  return (
    <footer class="legend" aria-hidden="true">
      {marks.map(([mark, words]) => (
        <span key={mark}>
          <i class={mark} />
          {words}
        </span>
      ))}
    </footer>
  );
}

/**
 * Announces what is otherwise only visible: how many requests match a filter, and how the open one has ended. New
 * requests are not announced, because that would drown out everything else.
 */
function Announcement() {
  const store = useStore();
  const [text, setText] = useState('');
  const list = store.list.value;
  const row = store.openRow.value;
  const runningId = useRef<string>(undefined);
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current && list !== undefined) setText(exchangesText(list.exchanges));
    isFirst.current = false;
  }, [list?.choice]);
  useEffect(() => {
    if (row !== undefined && row.end !== undefined && runningId.current === row.id) {
      setText(l10n.t('The request has ended: {0}', resultWord(outcomeOf(row))));
    }
    runningId.current = row?.end === undefined ? row?.id : undefined;
  }, [row?.id, row?.end]);
  return (
    <p class="hidden-text" role="status" aria-live="polite">
      {text}
    </p>
  );
}

export const startTraffic = pageStarter(TrafficStore, StoreProvider, TrafficPage);

/** Explains the colors of the bars, and shows the total cost of avoidable misses. */
function TreeLegend() {
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
