import * as l10n from '@vscode/l10n';
import { formatSum } from '../../../display/money.ts';
import { conditionsText } from '../../../display/routeConditions.ts';
import { formatLatency } from '../../../display/time.ts';
import { formatTokens, formatTokensExact } from '../../../display/tokens.ts';
import type { AnswerStep, TrafficRow } from '../../../pages/traffic/protocol.ts';
import type { BilledContext } from '../../../rules/contextPart.ts';
import { LinkButton } from '../../shared/button.tsx';
import { ContextBar } from '../../shared/contextBar.tsx';
import { Icon } from '../../shared/icon.tsx';
import { type OpenExchange, useStore } from '../store.ts';
import { byteText, finishWord } from '../words.ts';
import { attemptLanes } from './attemptLanes.ts';
import { Attempts } from './attempts.tsx';
import { attemptWord } from './attemptWord.ts';
import { MissNote } from './missNote.tsx';
import { type Phase, type PhaseKind, phasesOf } from './phases.ts';
import { SecretNote } from './secretNote.tsx';
import { TokenTable } from './tokenTable.tsx';

const PHASE_WORDS: Readonly<Record<PhaseKind, () => string>> = {
  queue: () => l10n.t('in the gateway'),
  wait: () => l10n.t('waiting for first byte'),
  reasoning: () => l10n.t('reasoning'),
  receive: () => l10n.t('receiving'),
};

/** Billionths of a US dollar, in which costs of parts are counted. */
const BILLIONTHS = 1e9;

interface OverviewProps {
  readonly row: TrafficRow;
  readonly open: OpenExchange;
}

/** The timeline, usage, and cost of a request. */
export function Overview({ row, open }: OverviewProps) {
  const steps = (open.bodies.answer ?? open.bodies.upstreamAnswer)?.steps;
  const { dropped = [] } = open.details?.record ?? {};
  const { outputLimit } = row;
  const phases = phasesOf(row, open.details, steps);
  const hasAttempts = attemptLanes(row).length > 0;
  return (
    <>
      {hasAttempts ? <Attempts row={row} phases={phases} /> : <PhaseBar row={row} phases={phases} />}
      <RouteLine row={row} />
      <Timeline row={row} open={open} steps={steps ?? []} />
      {open.details?.problem !== undefined && (
        <p class="note error">
          <Icon name="error" size={14} />
          {open.details.problem}
        </p>
      )}
      {dropped.length > 0 && (
        <div class="note warning">
          <Icon name="warning" size={14} />
          <span>{l10n.t('Dropped in translation: {0}', dropped.join(', '))}</span>
        </div>
      )}
      {outputLimit !== undefined && (
        <div class="note">
          <Icon name="info" size={14} />
          <span>
            {l10n.t(
              'The gateway limited the output to {0} tokens, because a budget of the key covers no more.',
              formatTokensExact(outputLimit),
            )}
          </span>
        </div>
      )}
      <SecretNote row={row} open={open} />
      <TokenTable row={row} />
      {open.context !== undefined && <RequestContext context={open.context} />}
      <MissNote row={row} open={open} />
      <Facts row={row} open={open} />
    </>
  );
}

/** Labels that are closer would overlap. As a fraction of the bar. */
const LABEL_ROOM = 0.12;

/** Explains the choice of the upstreams. */
function RouteLine({ row: { route } }: Pick<OverviewProps, 'row'>) {
  const store = useStore();
  if (route === undefined) return null;
  const reason = conditionsText(route.when ?? {});
  const rule =
    route.rule === undefined
      ? l10n.t('{0}, no rule applied', route.name)
      : reason === ''
        ? l10n.t('{0}, rule {1}', route.name, route.rule + 1)
        : l10n.t('{0}, rule {1}: {2}', route.name, route.rule + 1, reason);
  return (
    <p class="route">
      <Icon name="type-hierarchy-sub" size={14} />
      <span class="aside">{l10n.t('Route')}</span>
      <span class="words">{rule}</span>
      <LinkButton label={l10n.t('Open Routes')} onClick={() => store.post({ type: 'openRoutes' })} />
    </p>
  );
}

function PhaseBar({ row, phases }: Pick<OverviewProps, 'row'> & { readonly phases: readonly Phase[] }) {
  const total = Math.max(1, row.durationMs);
  const borders = phases.slice(1).map(({ fromMs }) => fromMs);
  const labels: number[] = [];
  for (const at of borders) {
    const hasRoom = (at - (labels.at(-1) ?? 0)) / total > LABEL_ROOM && (total - at) / total > LABEL_ROOM;
    if (hasRoom) labels.push(at);
  }
  const label = phases
    .map(({ kind, fromMs, toMs }) => `${PHASE_WORDS[kind]()} ${formatLatency(toMs - fromMs)}`)
    .join(', ');
  return (
    <div class="phases" role="img" aria-label={label}>
      <div class="phase-bar">
        {phases.map(({ kind, fromMs, toMs }) => (
          <span
            key={`${kind}-${fromMs}`}
            class={`phase ${kind}`}
            title={`${PHASE_WORDS[kind]()} ${formatLatency(toMs - fromMs)}`}
            style={{ flexGrow: (toMs - fromMs) / total }}
          />
        ))}
      </div>
      <div class="phase-labels number">
        <span>{'0'}</span>
        {labels.map((at) => (
          <span key={at} class="border" style={{ left: `${(at / total) * 100}%` }}>
            {formatLatency(at)}
          </span>
        ))}
        <span class="end">{formatLatency(row.durationMs)}</span>
      </div>
    </div>
  );
}

interface Moment {
  readonly atMs: number;
  readonly words: string;
  readonly kind: 'plain' | 'reasoning' | 'receive' | 'failure';
  readonly aside?: string;
}

function Timeline({ row, open, steps }: OverviewProps & { readonly steps: readonly AnswerStep[] }) {
  return (
    <ol class="moments">
      {momentsOf(row, open, steps).map(({ atMs, words, kind, aside }) => (
        <li key={`${words}-${atMs}`}>
          <span class="at number">{(atMs / 1000).toFixed(3)}</span>
          <i class={kind} />
          <span class="words">{words}</span>
          {aside !== undefined && <span class="aside number">{aside}</span>}
        </li>
      ))}
    </ol>
  );
}

function momentsOf(row: TrafficRow, { details }: OpenExchange, steps: readonly AnswerStep[]): Moment[] {
  const record = details?.record;
  const sent = sentMoments(row, details);
  const aside = record === undefined ? undefined : byteText(record.bytesIn);
  return [
    { atMs: 0, words: l10n.t('Request received'), kind: 'plain', ...(aside !== undefined && { aside }) } as Moment,
    ...sent,
    ...(row.firstByteMs === undefined
      ? []
      : [{ atMs: row.firstByteMs, words: l10n.t('First byte'), kind: 'receive' } as Moment]),
    ...steps.map(({ atMs, kind, name = '' }) => ({ atMs, ...STEPS[kind](name) })),
    ...(row.end === undefined ? [] : [endMoment(row, record?.bytesOut)]),
  ].sort((a, b) => a.atMs - b.atMs);
}

/** Returns when each upstream was asked, and which of them failed. */
function sentMoments(row: TrafficRow, details: OpenExchange['details']): Moment[] {
  const lanes = attemptLanes(row).filter(({ outcome }) => outcome !== 'skipped');
  const sentTo = (upstream: string, atMs: number): Moment => ({
    atMs,
    words: l10n.t('Sent to {0}', upstream),
    kind: 'plain',
  });
  if (lanes.length > 0) {
    return lanes.flatMap((lane) => [
      sentTo(lane.upstream, lane.fromMs),
      ...(lane.outcome === 'failed'
        ? [{ atMs: lane.toMs, words: `${lane.upstream}: ${attemptWord(lane)}`, kind: 'failure' } as const]
        : []),
    ]);
  }
  const attempts = details?.attempts ?? [];
  if (attempts.length > 0) return attempts.map(({ upstream, atMs }) => sentTo(upstream, atMs));
  return row.upstream === undefined ? [] : [sentTo(row.upstream, row.queueMs ?? details?.record?.queueMs ?? 0)];
}

const STEPS: Readonly<Record<AnswerStep['kind'], (name: string) => Omit<Moment, 'atMs'>>> = {
  reasoning: () => ({ words: l10n.t('Reasoning starts'), kind: 'reasoning' }),
  text: () => ({ words: l10n.t('Answer starts'), kind: 'receive' }),
  refusal: () => ({ words: l10n.t('Refusal starts'), kind: 'receive' }),
  toolCall: (name) => ({ words: l10n.t('Tool call: {0}', name), kind: 'receive' }),
  finish: (name) => ({ words: l10n.t('Finished: {0}', finishWord(name)), kind: 'plain' }),
  error: (name) => ({ words: l10n.t('Failed: {0}', name), kind: 'failure' }),
};

function endMoment(row: TrafficRow, bytesOut: number | undefined): Moment {
  const isWhole = row.end === 'completed';
  const words = isWhole
    ? l10n.t('Last byte')
    : row.end === 'clientLeft'
      ? l10n.t('The client disconnected')
      : row.end === 'cancelled'
        ? l10n.t('Canceled here')
        : l10n.t('Ended by the gateway');
  const aside = bytesOut === undefined ? undefined : byteText(bytesOut);
  return { atMs: row.durationMs, words, kind: isWhole ? 'plain' : 'failure', ...(aside !== undefined && { aside }) };
}

function Facts({ row, open }: OverviewProps) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Client'), row.client],
    [l10n.t('Endpoint'), row.endpoint],
    [l10n.t('Format'), formats(row)],
    [l10n.t('Upstream'), row.upstream],
    [l10n.t('Upstream model'), open.details?.record?.upstreamModel],
    [l10n.t('Tool time'), row.toolMs === undefined ? undefined : formatLatency(row.toolMs)],
    [l10n.t('Session'), row.sessionId],
    [l10n.t('Chat'), row.conversationId],
    [l10n.t('Run'), row.step === undefined ? undefined : row.turnId],
    [l10n.t('Step'), row.step === undefined ? undefined : String(row.step)],
    [l10n.t('ID'), row.id],
  ];
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                {value === row.sessionId && <SessionLink sessionId={value} />}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Lists the requests of the session. */
function SessionLink({ sessionId }: { readonly sessionId: string }) {
  const store = useStore();
  const choice = store.list.value?.choice;
  if (choice?.sessionId === sessionId) return null;
  return <LinkButton label={l10n.t('Show session')} onClick={() => store.choose({ sessionId })} />;
}

function formats({ callerFormat, upstreamFormat }: TrafficRow): string | undefined {
  if (upstreamFormat === undefined || upstreamFormat === callerFormat) return callerFormat;
  return `${callerFormat} → ${upstreamFormat}`;
}

/** What the request consists of, with the tokens and the cost of each kind. */
function RequestContext({ context: { parts } }: { readonly context: BilledContext }) {
  const hasCosts = parts.some(({ cost }) => cost !== undefined);
  const text = (tokens: number, cost: number) =>
    hasCosts ? `${formatTokens(tokens)}, ${formatSum(cost / BILLIONTHS)}` : formatTokens(tokens);
  return (
    <section>
      <h3>{l10n.t('What fills the context')}</h3>
      <ContextBar parts={parts} text={text} />
    </section>
  );
}
