import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { Citation } from '../../../formats/conversation.ts';
import type { AnswerTurn } from '../../../pages/chat/protocol.ts';
import { isRefusal, isRunning } from '../../../rules/answer.ts';
import { ActionMenu } from '../../shared/actionMenu.tsx';
import { Button } from '../../shared/button.tsx';
import { Icon } from '../../shared/icon.tsx';
import { IconButton } from '../../shared/iconButton.tsx';
import { agentParts } from '../agent/lateParts.ts';
import type { RunEnd } from '../agent/runs.ts';
import { AnswerHead } from '../answer/answerHead.tsx';
import { FailureCard } from '../answer/failureCard.tsx';
import { LiveLine, MetaLine } from '../answer/figures.tsx';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { Reasoning } from '../answer/reasoning.tsx';
import { RetryCard } from '../answer/retryCard.tsx';
import { applyMessagesOf, hasCodeForFiles } from '../markdown/codeApplying.ts';
import { CopyButton } from '../markdown/copyButton.tsx';
import { useDrawn } from '../markdown/lateDrawing.ts';
import { safeHref } from '../markdown/links.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { roughHeight } from '../roughHeight.ts';
import { useStore } from '../storeContext.ts';
import { Pager } from './pager.tsx';
import { ToolCallCards } from './toolCallCard.tsx';

/** A title needs fewer characters. To break the lines of a very long one would take long. */
const MAX_NAME_LENGTH = 500;

interface AnswerProps {
  readonly turn: AnswerTurn;
  readonly last: boolean;
  /** One of several answers side by side. */
  readonly compared?: boolean;
  /** True if its text may be rendered later. */
  readonly late?: boolean;
  /** What the run has used and left that this answer ends. Its steps are above. */
  readonly end?: RunEnd | undefined;
}

export function Answer({ turn, last, compared = false, late = false, end }: AnswerProps) {
  const article = useRef<HTMLElement>(null);
  const drawn = useDrawn(article, late);
  const running = isRunning(turn);
  const body = useGrowingHeight(turn.status === 'streaming');
  const hasContent = turn.text !== '' || turn.reasoning !== '' || turn.toolCalls !== undefined || isRefusal(turn);
  return (
    <article
      ref={article}
      class={`turn answer ${turn.status}${last ? ' last' : ''}`}
      data-turn={turn.id}
      style={late ? { containIntrinsicHeight: `auto ${roughHeight(turn.text)}px` } : undefined}
      aria-label={turn.model}
      aria-busy={running}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between turns, Tab enters one
      tabIndex={0}
    >
      {end === undefined && (hasContent || (turn.retry === undefined && turn.failure === undefined)) && (
        <AnswerHead turn={turn} />
      )}
      {turn.reasoning !== '' && <Reasoning turn={turn} />}
      <div class="answer-body" ref={body}>
        {drawn && turn.text !== '' && <Markdown source={turn.text} complete={!running} />}
      </div>
      {turn.toolCalls !== undefined && <ToolCallCards calls={turn.toolCalls} growing={running} />}
      {isRefusal(turn) && <Refusal turn={turn} growing={running} />}
      {turn.status === 'complete' && !hasContent && <p class="answer-empty">{l10n.t('The answer is empty.')}</p>}
      {turn.citations !== undefined && <Citations citations={turn.citations} />}
      {turn.retry !== undefined && <RetryCard turnId={turn.id} retry={turn.retry} />}
      {turn.failure !== undefined && <FailureCard turnId={turn.id} failure={turn.failure} withSteps={last} />}
      {last && turn.run === undefined && <NextSteps turn={turn} />}
      {running && turn.retry === undefined && <LiveLine turn={turn} />}
      {!running && <EndLine turn={turn} end={end} />}
      {turn.branch !== undefined && !compared && (
        <div class="turn-bar">
          <Pager turnId={turn.id} branch={turn.branch} />
        </div>
      )}
      {!running && !compared && <AnswerActions turn={turn} last={last} />}
    </article>
  );
}

/** The figures of a finished answer, or of the run that it ends. */
function EndLine({ turn, end }: Pick<AnswerProps, 'turn' | 'end'>) {
  const parts = agentParts.current;
  if (end === undefined || parts === undefined) return <MetaLine turn={turn} />;
  return (
    <>
      {turn.status !== 'complete' && <MetaLine turn={turn} />}
      <parts.RunEndLines end={end} sandbox={turn.sandbox} />
      <parts.Handoffs run={turn.run} />
    </>
  );
}

/** Offers the next steps for an answer that ended early. */
function NextSteps({ turn }: { readonly turn: AnswerTurn }) {
  const store = useStore();
  if (turn.status !== 'stopped' && turn.status !== 'cut') return null;
  if (store.state.value?.connection === 'none') return null;
  return (
    <div class="buttons">
      {turn.text !== '' && (
        <button type="button" class="button" onClick={() => store.takeStep('continue', turn.id)}>
          <Icon name="debug-continue" />
          {l10n.t('Continue')}
        </button>
      )}
      <Button label={l10n.t('Retry')} onClick={() => store.takeStep('retry', turn.id)} />
    </div>
  );
}

/**
 * Keeps an element from shrinking while its content grows overall: a paragraph that turns into a table must not make
 * the thread jump. The minimum height is removed when the answer ends or the panel's width changes.
 */
function useGrowingHeight(growing: boolean) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null || !growing) return;
    let width = target.clientWidth;
    let tallest = 0;
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return;
      const { width: newWidth, height } = entry.contentRect;
      if (Math.abs(newWidth - width) >= 1) {
        width = newWidth;
        tallest = 0;
        target.style.minHeight = '';
      } else if (height > tallest) {
        tallest = height;
        target.style.minHeight = `${Math.floor(height)}px`;
      }
    });
    observer.observe(target);
    return () => {
      observer.disconnect();
      target.style.minHeight = '';
    };
  }, [growing]);
  return element;
}

/** Shows that the answer is a refusal, with its text if there is one. */
function Refusal({ turn, growing }: { readonly turn: AnswerTurn; readonly growing: boolean }) {
  const { refusal = '', refusedBy } = turn;
  return (
    <div class="card refusal">
      <Icon name="circle-slash" />
      <div class="card-body">
        <h2 class="card-title">
          {refusedBy === 'filter' ? l10n.t('The service withheld the answer') : l10n.t('The model refused to answer')}
        </h2>
        {refusal !== '' && <Markdown source={refusal} complete={!growing} />}
      </div>
    </div>
  );
}

function AnswerActions({ turn, last }: { readonly turn: AnswerTurn; readonly last: boolean }) {
  const store = useStore();
  const words = [turn.text, turn.refusal ?? ''].filter((part) => part !== '').join('\n\n');
  const busy = store.busy.value;
  const endedEarly = turn.status === 'stopped' || turn.status === 'cut' || turn.status === 'failed';
  return (
    <div class="answer-actions">
      {words !== '' && <CopyButton text={words} label={l10n.t('Copy answer')} />}
      {hasCodeForFiles(turn.text) && (
        <IconButton
          icon="git-pull-request-go-to-changes"
          label={l10n.t('Apply to files')}
          onClick={() => {
            for (const message of applyMessagesOf(turn.text)) store.post(message);
          }}
        />
      )}
      {store.isConnected.value && !(last && endedEarly) && (
        <IconButton
          icon="refresh"
          label={l10n.t('Retry')}
          disabled={busy}
          onClick={() => store.takeStep('retry', turn.id)}
        />
      )}
      {turn.run !== undefined && <Restore run={turn.run} />}
      {store.isConnected.value && <TurnMenu turn={turn} busy={busy} />}
    </div>
  );
}

/** What is needed less often, each action with a line about it. */
function TurnMenu({ turn, busy }: { readonly turn: AnswerTurn; readonly busy: boolean }) {
  const store = useStore();
  return (
    <ActionMenu
      label={l10n.t('More actions for this answer')}
      actions={[
        {
          label: l10n.t('Ask another model…'),
          detail: l10n.t('Adds its answer as another version'),
          disabled: busy,
          onClick: () => store.models.askOther(turn.id),
        },
        {
          label: l10n.t('Ask several models side by side…'),
          detail: l10n.t('Asks this question again, and you keep one answer'),
          disabled: busy,
          onClick: () => store.models.askSeveral(turn.id),
        },
        {
          label: l10n.t('Fork into a new chat'),
          detail: l10n.t('Copies the chat up to this answer'),
          disabled: busy,
          onClick: () => store.fork(turn.id),
        },
        { label: l10n.t('Delete answer'), disabled: busy, onClick: () => store.removeTurn(turn.id) },
      ]}
    />
  );
}

function Restore({ run }: { readonly run: string }) {
  const parts = agentParts.current;
  return parts === undefined ? null : <parts.RestoreButton run={run} />;
}

/** The sources of an answer. Pages open outside the editor. */
function Citations({ citations }: { readonly citations: readonly Citation[] }) {
  const sources = useMemo(() => eachOnce(citations), [citations]);
  const part = useShownPart(sources.length);
  return (
    <section class="citations" aria-label={l10n.t('Sources')}>
      <p class="citations-title">{l10n.t('Sources')}</p>
      <ol>
        {sources.slice(0, part.count).map((citation, index) => (
          <li key={index}>
            <Source citation={citation} />
            {citation.quote !== undefined && (
              <blockquote class="citation-quote" dir="auto">
                {citation.quote}
              </blockquote>
            )}
          </li>
        ))}
      </ol>
      <MoreButton part={part} />
    </section>
  );
}

/** Removes duplicates, because a source can apply to several passages of the answer. */
function eachOnce(citations: readonly Citation[]): readonly Citation[] {
  const byKey = Map.groupBy(citations, ({ url, title, quote }) => JSON.stringify([url, title, quote]));
  return [...byKey.values()].flatMap(([first]) => first ?? []);
}

function Source({ citation: { url, title } }: { readonly citation: Citation }) {
  const store = useStore();
  const name = shortened(title ?? (url === undefined ? l10n.t('Passage') : shortAddress(url)));
  const href = url === undefined ? undefined : safeHref(url);
  if (href === undefined || !/^https?:/i.test(href)) return <bdi>{name}</bdi>;
  const open = (event: MouseEvent) => {
    event.preventDefault();
    event.stopPropagation();
    store.post({ type: 'openLink', href });
  };
  return (
    <a href={href} title={href} onClick={open}>
      <bdi>{name}</bdi>
    </a>
  );
}

function shortened(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

/** Returns the address without its scheme and `www`. */
function shortAddress(url: string): string {
  return url.replace(/^https?:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
}
