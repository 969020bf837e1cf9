import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { formatMoney, formatRoughly } from '../../../display/money.ts';
import { formatDuration, formatSeconds, formatSpeed } from '../../../display/time.ts';
import { approximately, formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { AnswerFigures, AnswerTurn } from '../../../pages/chat/protocol.ts';
import { Button } from '../../shared/button.tsx';
import { useNow } from '../../shared/hooks.ts';
import { Icon } from '../../shared/icon.tsx';
import { useStore } from '../storeContext.ts';
import { costText } from './costText.ts';

/** After this time without a first token, the elapsed time is shown. In milliseconds. */
const LONG_WAIT_MS = 2000;

/** The line of an answer in progress: tokens, cost so far, speed. */
export function LiveLine({ turn }: { readonly turn: AnswerTurn }) {
  const { now } = useStore();
  const silence = useSilence(turn);
  const waiting = turn.status === 'waiting' || turn.figures === undefined;
  const started = useRef(now());
  const waited = useNow(now, waiting) - started.current;
  const { figures } = turn;
  return (
    <>
      <p class="figures live">
        <span class={isStalled(silence) ? 'live-dot stalled' : 'live-dot'} />
        {waiting || figures === undefined ? (
          <>
            <Figure>{l10n.t('Waiting for the first token')}</Figure>
            {waited >= LONG_WAIT_MS && <Figure>{formatSeconds(waited)}</Figure>}
          </>
        ) : (
          <>
            <Figure title={l10n.t('{0} tokens', formatTokensExact(figures.outputTokens))}>
              {l10n.t('{0} out', formatTokens(figures.outputTokens))}
            </Figure>
            {figures.cost !== undefined && (
              <Figure class={costClass(turn)}>{l10n.t('{0} so far', costText(figures) ?? '')}</Figure>
            )}
            {figures.tokensPerSecond !== undefined && (
              <Figure class="from-280">{formatSpeed(figures.tokensPerSecond)}</Figure>
            )}
          </>
        )}
      </p>
      <StallCard turn={turn} silence={silence} />
    </>
  );
}

/** Sample amounts do not have the color of money. The head of the panel says what they are. */
function costClass({ sandbox }: AnswerTurn): string {
  return sandbox ? 'sample' : 'cost';
}

function endedEarly(status: AnswerTurn['status']) {
  if (status === 'stopped') return { icon: 'circle-slash', text: l10n.t('Stopped') };
  return status === 'cut' ? { icon: 'warning', text: l10n.t('Cut off at the token limit') } : undefined;
}

/** The line of a finished answer: input, output, cost, time to first token, speed. It wraps at the dots. */
export function MetaLine({ turn }: { readonly turn: AnswerTurn }) {
  const { figures, status } = turn;
  const early = endedEarly(status);
  if (figures === undefined && early === undefined) return null;
  const mark = (text: string) => (figures?.estimated === true ? approximately(text) : text);
  return (
    <p class="figures meta">
      {early !== undefined && (
        <Figure class={`early ${status}`}>
          <Icon name={early.icon} size={12} />
          {early.text}
        </Figure>
      )}
      {figures?.inputTokens !== undefined && (
        <Figure title={inputTitle(figures.inputTokens, figures.forecast?.inputTokens)}>
          {l10n.t('{0} in', mark(formatTokens(figures.inputTokens)))}
        </Figure>
      )}
      {figures !== undefined && (
        <Figure title={l10n.t('{0} tokens out', formatTokensExact(figures.outputTokens))}>
          {l10n.t('{0} out', mark(formatTokens(figures.outputTokens)))}
        </Figure>
      )}
      {figures?.cost !== undefined && (
        <Figure class={costClass(turn)} title={costTitle(figures.cost, figures.forecast?.cost)}>
          {costText(figures, mark)}
        </Figure>
      )}
      {figures?.firstTokenMs !== undefined && (
        <Figure class="from-280" title={l10n.t('Time to first token')}>
          <span class="below-480">{l10n.t('{0} to first', formatDuration(figures.firstTokenMs))}</span>
          <span class="from-480">{l10n.t('{0} to first token', formatDuration(figures.firstTokenMs))}</span>
        </Figure>
      )}
      {figures?.tokensPerSecond !== undefined && (
        <Figure class="from-340">{formatSpeed(figures.tokensPerSecond)}</Figure>
      )}
      {figures !== undefined && <SealedFigure figures={figures} />}
    </p>
  );
}

/** How many secrets the service has not seen. */
export function SealedFigure({ figures }: { readonly figures: AnswerFigures }) {
  const { sealedSecrets: count } = figures;
  if (count === undefined) return null;
  return (
    <Figure class="sealed" title={l10n.t('Replaced before the request was sent, and restored in the answer')}>
      {count === 1 ? l10n.t('1 secret sealed') : l10n.t('{0} secrets sealed', count)}
    </Figure>
  );
}

/** Returns the service's count, and its difference from the estimate before sending. */
function inputTitle(tokens: number, forecast: number | undefined): string {
  const counted = l10n.t('{0} tokens in', formatTokensExact(tokens));
  if (forecast === undefined) return counted;
  if (forecast === tokens) return `${counted}\n${l10n.t('As counted before sending')}`;
  const difference = `${tokens > forecast ? '+' : '−'}${formatTokensExact(Math.abs(tokens - forecast))}`;
  return `${counted}\n${l10n.t('{0} counted before sending ({1})', formatTokensExact(forecast), difference)}`;
}

function costTitle(cost: number, forecast: number | undefined): string | undefined {
  if (forecast === undefined) return undefined;
  const difference = `${cost >= forecast ? '+' : '−'}${formatMoney(Math.abs(cost - forecast))}`;
  return l10n.t('About {0} expected ({1})', formatRoughly(forecast), difference);
}

interface AnswerFigureProps {
  readonly class?: string;
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** A figure of a line of figures, followed by a dot. */
export function Figure({ children, title, ...rest }: AnswerFigureProps) {
  return (
    <span class={`figure ${rest.class ?? ''}`} title={title}>
      {children}
    </span>
  );
}

/** Returns the time of the request to its last token, in milliseconds. */
export function requestMs({ firstTokenMs, tokensPerSecond, outputTokens }: AnswerFigures): number | undefined {
  if (firstTokenMs === undefined) return undefined;
  return tokensPerSecond === undefined || tokensPerSecond === 0
    ? firstTokenMs
    : firstTokenMs + (outputTokens / tokensPerSecond) * 1000;
}

/**
 * After this time without data, an answer counts as stalled; after the second one, asking again is suggested. In
 * milliseconds.
 */
const STALLED_MS = 12_000;
const LONG_STALL_MS = 60_000;

/** Returns for how long an answer in progress has received no data. In milliseconds. */
function useSilence(turn: AnswerTurn): number {
  const { now } = useStore();
  const time = useNow(now, true);
  const last = useRef({ turn, at: now() });
  if (last.current.turn !== turn) last.current = { turn, at: now() };
  return Math.max(0, time - last.current.at);
}

/** Shows for how long no data has arrived, and what the user can do. */
function StallCard({ turn, silence }: { readonly turn: AnswerTurn; readonly silence: number }) {
  const store = useStore();
  const isStalled = silence >= STALLED_MS;
  useEffect(() => {
    if (isStalled) store.announce(l10n.t('No data for {0}.', formatSeconds(STALLED_MS)));
  }, [isStalled, store]);
  if (!isStalled) return null;
  const long = silence >= LONG_STALL_MS;
  return (
    <div class="card warning stall">
      <Icon name="warning" />
      <div class="card-body">
        <h2 class="card-title number">{l10n.t('No data for {0}', formatSeconds(silence))}</h2>
        <p class="card-text">
          {l10n.t(
            'The connection is open, and the model may still be working. If you stop, the text received so far is kept and charged.',
          )}
        </p>
        <div class="buttons">
          <Button label={l10n.t('Stop')} onClick={() => store.stop()} />
          <Button
            primary={long}
            label={l10n.t('Retry')}
            onClick={() => store.stopThen(() => store.takeStep('retry', turn.id))}
          />
          <Button
            label={l10n.t('Ask another model…')}
            onClick={() => store.stopThen(() => store.models.askOther(turn.id))}
          />
        </div>
      </div>
    </div>
  );
}

function isStalled(silence: number): boolean {
  return silence >= STALLED_MS;
}
