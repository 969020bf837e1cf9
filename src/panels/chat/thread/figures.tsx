import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { formatMoney } from '../../../display/money.ts';
import { formatDuration, formatSeconds, formatSpeed } from '../../../display/time.ts';
import { approximately, formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { AnswerTurn } from '../../../editor/chat/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { useNow } from '../../shared/useNow.ts';
import { useStore } from '../storeContext.ts';

/** From when on a wait for the first token shows how long it has been. */
const LONG_WAIT_MS = 2000;

/** One line while an answer is on its way: tokens, cost so far, speed. */
export function LiveLine({ turn }: { readonly turn: AnswerTurn }) {
  const { now } = useStore();
  const waiting = turn.status === 'waiting' || turn.figures === undefined;
  const started = useRef(now());
  const waited = useNow(now, waiting) - started.current;
  const { figures } = turn;
  return (
    <p class="figures live">
      <span class="live-dot" />
      {waiting || figures === undefined ? (
        <>
          <Figure>Waiting for the first token</Figure>
          {waited >= LONG_WAIT_MS && <Figure>{formatSeconds(waited)}</Figure>}
        </>
      ) : (
        <>
          <Figure title={`${formatTokensExact(figures.outputTokens)} tokens`}>
            {formatTokens(figures.outputTokens)} out
          </Figure>
          {figures.cost !== undefined && <Figure class="cost">{formatMoney(figures.cost)} so far</Figure>}
          {figures.tokensPerSecond !== undefined && (
            <Figure class="from-280">{formatSpeed(figures.tokensPerSecond)}</Figure>
          )}
        </>
      )}
    </p>
  );
}

const ENDED_EARLY = {
  stopped: { icon: 'circle-slash', text: 'Stopped' },
  cut: { icon: 'warning', text: 'Cut at the token limit' },
} as const;

/** One quiet line after it: in, out, cost, time to the first token, speed. It wraps at a dot. */
export function MetaLine({ turn: { figures, status } }: { readonly turn: AnswerTurn }) {
  const early = status === 'stopped' || status === 'cut' ? ENDED_EARLY[status] : undefined;
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
        <Figure title={`${formatTokensExact(figures.inputTokens)} tokens in`}>
          {mark(formatTokens(figures.inputTokens))} in
        </Figure>
      )}
      {figures !== undefined && (
        <Figure title={`${formatTokensExact(figures.outputTokens)} tokens out`}>
          {mark(formatTokens(figures.outputTokens))} out
        </Figure>
      )}
      {figures?.cost !== undefined && <Figure class="cost">{mark(formatMoney(figures.cost))}</Figure>}
      {figures?.firstTokenMs !== undefined && (
        <Figure title="Time to the first token">
          {formatDuration(figures.firstTokenMs)} <span class="below-480">first</span>
          <span class="from-480">to first token</span>
        </Figure>
      )}
      {figures?.tokensPerSecond !== undefined && <Figure>{formatSpeed(figures.tokensPerSecond)}</Figure>}
    </p>
  );
}

interface FigureProps {
  readonly class?: string;
  readonly title?: string;
  readonly children: ComponentChildren;
}

function Figure({ children, title, ...rest }: FigureProps) {
  return (
    <span class={`figure ${rest.class ?? ''}`} title={title}>
      {children}
    </span>
  );
}
