import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { BodyPart, TrafficRow } from '../../../pages/traffic/protocol.ts';
import { IconButton } from '../../shared/iconButton.tsx';
import { SandboxNote } from '../../shared/sandboxNote.tsx';
import { TAB_CONTENT, Tabs, tabId } from '../../shared/tabs.tsx';
import { type OpenExchange, useStore } from '../store.ts';
import { clockTime, endWord, isSample, paidText, toolName } from '../words.ts';
import { EventsTab } from './eventsTab.tsx';
import { MessageTab } from './messageTab.tsx';
import { Overview } from './overview.tsx';

type TabName = 'overview' | 'request' | 'response' | 'events';

/** The open request: next to the list, or instead of it in a narrow view. */
export function Detail({ onClose }: { readonly onClose: () => void }) {
  const store = useStore();
  const open = store.open.value;
  const row = store.openRow.value;
  const title = useRef<HTMLHeadingElement>(null);
  const id = open?.id;
  // A layout effect, so that the focus moves before the next key can be pressed.
  useLayoutEffect(() => {
    if (id !== undefined) title.current?.focus();
  }, [id]);
  if (open === undefined) return null;
  return (
    <section class="detail" aria-labelledby="detail-title" onKeyDown={(event) => event.key === 'Escape' && onClose()}>
      <div class="detail-head">
        <h2 id="detail-title" tabIndex={-1} ref={title}>
          {row?.model ?? row?.endpoint ?? open.details?.record?.model ?? l10n.t('Request')}
        </h2>
        <IconButton
          class="close"
          icon="close"
          label={l10n.t('Back to the requests')}
          shortcut="Escape"
          onClick={onClose}
        />
      </div>
      {row !== undefined && (
        <p class="detail-note">
          {[endWord(row), toolName(row, store.viewContext.value), row.callerFormat, clockTime(row.at), paidText(row)]
            .filter((part) => part !== undefined && part !== '')
            .join(' · ')}
          {isSample(row) && row.cost !== undefined && (
            <>
              {' · '}
              <SandboxNote />
            </>
          )}
        </p>
      )}
      {row !== undefined && (
        <div class="detail-actions worded">
          <Actions row={row} />
        </div>
      )}
      <Parts open={open} row={row} />
    </section>
  );
}

function Actions({ row }: { readonly row: TrafficRow }) {
  const store = useStore();
  if (row.end === undefined) {
    return <IconButton icon="debug-stop" label={l10n.t('Cancel')} onClick={() => store.act('cancel', row)} />;
  }
  return (
    <>
      <IconButton icon="copy" label={l10n.t('Copy as…')} onClick={() => store.act('copyAs', row)} />
      <IconButton icon="refresh" label={l10n.t('Send again…')} onClick={() => store.act('resend', row)} />
      <IconButton icon="git-compare" label={l10n.t('Compare with another…')} onClick={() => store.compareWith(row)} />
      <IconButton icon="export" label={l10n.t('Save as HAR file…')} onClick={() => store.act('saveHar', row)} />
      <IconButton icon="beaker" label={l10n.t('Save as test fixture…')} onClick={() => store.act('saveFixture', row)} />
    </>
  );
}

function Parts({ open, row }: { readonly open: OpenExchange; readonly row: TrafficRow | undefined }) {
  const store = useStore();
  const [tab, setTab] = useState<TabName>('overview');
  const captured = (open.details?.bodies ?? []).map(({ part }) => part);
  const isRunning = row !== undefined && row.end === undefined;
  const parts = neededParts(tab, captured);
  const isDone = open.details?.record !== undefined;
  // The body of an answer in progress is read again with its details.
  useEffect(() => {
    for (const part of parts) if (open.bodies[part] === undefined || !isDone) store.readBody(part);
  }, [open.id, tab, parts.join(), open.details, isDone]);
  const events = (open.bodies.answer ?? open.bodies.upstreamAnswer)?.events?.length;
  const tabs: readonly (readonly [TabName, string])[] = [
    ['overview', l10n.t('Overview')],
    ['request', l10n.t('Request')],
    ['response', l10n.t('Response')],
    ['events', events === undefined ? l10n.t('Events') : l10n.t('Events {0}', events.toLocaleString('en-US'))],
  ];
  return (
    <>
      <Tabs label={l10n.t('Parts of the request')} tabs={tabs} chosen={tab} onChoose={setTab} />
      <div
        class={`tab-content ${tab}`}
        role="tabpanel"
        id={TAB_CONTENT}
        aria-labelledby={tabId(tab)}
        // So that it can be scrolled with the keyboard if it has no control.
        tabIndex={tab === 'overview' ? 0 : undefined}
      >
        {tab === 'overview' && row !== undefined && <Overview row={row} open={open} />}
        {tab === 'request' && <MessageTab open={open} sides={['request', 'upstreamRequest']} />}
        {tab === 'response' && <MessageTab open={open} sides={['answer', 'upstreamAnswer']} />}
        {tab === 'events' && <EventsTab open={open} isRunning={isRunning} />}
      </div>
    </>
  );
}

function neededParts(tab: TabName, captured: readonly BodyPart[]): BodyPart[] {
  const wanted: Readonly<Record<TabName, readonly BodyPart[]>> = {
    overview: ['answer'],
    request: ['request', 'upstreamRequest'],
    response: ['answer', 'upstreamAnswer'],
    events: ['answer', 'upstreamAnswer'],
  };
  return wanted[tab].filter((part) => captured.includes(part));
}
