import * as l10n from '@vscode/l10n';
import { formatLatency } from '../../../display/time.ts';
import type { AnswerStep, TrafficRow } from '../../../editor/traffic/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { type OpenExchange, useStore } from '../store.ts';
import { byteText } from '../words.ts';
import { finishWord } from './finishWord.ts';
import { MissNote } from './missNote.tsx';
import { type PhaseKind, phasesOf } from './phases.ts';
import { SecretNote } from './secretNote.tsx';
import { TokenTable } from './tokenTable.tsx';

interface Shown {
  readonly row: TrafficRow;
  readonly open: OpenExchange;
}

/** The timeline, usage, and cost of an exchange. */
export function Overview({ row, open }: Shown) {
  const steps = (open.bodies.answer ?? open.bodies.upstreamAnswer)?.steps;
  const dropped = open.details?.record?.dropped ?? [];
  return (
    <>
      <PhaseBar row={row} open={open} steps={steps} />
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
      <SecretNote row={row} />
      <TokenTable row={row} />
      <MissNote row={row} open={open} />
      <Facts row={row} open={open} />
    </>
  );
}

function phaseWord(kind: PhaseKind): string {
  switch (kind) {
    case 'queue':
      return l10n.t('in the gateway');
    case 'wait':
      return l10n.t('waiting for first byte');
    case 'reasoning':
      return l10n.t('reasoning');
    case 'receive':
      return l10n.t('receiving');
  }
}

/** Labels nearer than this part of the bar would stand on each other. */
const LABEL_ROOM = 0.12;

function PhaseBar({ row, open, steps }: Shown & { readonly steps: readonly AnswerStep[] | undefined }) {
  const phases = phasesOf(row, open.details, steps);
  const total = Math.max(1, row.durationMs);
  const borders = phases.slice(1).map(({ fromMs }) => fromMs);
  const labels: number[] = [];
  for (const at of borders) {
    const hasRoom = (at - (labels.at(-1) ?? 0)) / total > LABEL_ROOM && (total - at) / total > LABEL_ROOM;
    if (hasRoom) labels.push(at);
  }
  const said = phases.map(({ kind, fromMs, toMs }) => `${phaseWord(kind)} ${formatLatency(toMs - fromMs)}`).join(', ');
  return (
    <div class="phases" role="img" aria-label={said}>
      <div class="phase-bar">
        {phases.map(({ kind, fromMs, toMs }) => (
          <span
            key={`${kind}-${fromMs}`}
            class={`phase ${kind}`}
            title={`${phaseWord(kind)} ${formatLatency(toMs - fromMs)}`}
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

function Timeline({ row, open, steps }: Shown & { readonly steps: readonly AnswerStep[] }) {
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
  const attempts = details?.attempts ?? [];
  const sent: Moment[] =
    attempts.length > 0
      ? attempts.map(({ upstream, atMs }) => ({ atMs, words: l10n.t('Sent to {0}', upstream), kind: 'plain' }))
      : row.upstream === undefined
        ? []
        : [{ atMs: row.queueMs ?? record?.queueMs ?? 0, words: l10n.t('Sent to {0}', row.upstream), kind: 'plain' }];
  const aside = record === undefined ? undefined : byteText(record.bytesIn);
  return [
    { atMs: 0, words: l10n.t('Request received'), kind: 'plain', ...(aside !== undefined && { aside }) } as Moment,
    ...sent,
    ...(row.firstByteMs === undefined
      ? []
      : [{ atMs: row.firstByteMs, words: l10n.t('First byte'), kind: 'receive' } as Moment]),
    ...steps.map(stepMoment),
    ...(row.end === undefined ? [] : [endMoment(row, record?.bytesOut)]),
  ].sort((a, b) => a.atMs - b.atMs);
}

function stepMoment({ atMs, kind, name = '' }: AnswerStep): Moment {
  switch (kind) {
    case 'reasoning':
      return { atMs, words: l10n.t('Reasoning starts'), kind: 'reasoning' };
    case 'text':
      return { atMs, words: l10n.t('Answer starts'), kind: 'receive' };
    case 'refusal':
      return { atMs, words: l10n.t('Refusal starts'), kind: 'receive' };
    case 'toolCall':
      return { atMs, words: l10n.t('Tool call: {0}', name), kind: 'receive' };
    case 'finish':
      return { atMs, words: l10n.t('Finished: {0}', finishWord(name)), kind: 'plain' };
    case 'error':
      return { atMs, words: l10n.t('Failed: {0}', name), kind: 'failure' };
  }
}

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

function Facts({ row, open }: Shown) {
  const facts: readonly (readonly [string, string | undefined])[] = [
    [l10n.t('Client'), row.client],
    [l10n.t('Endpoint'), row.endpoint],
    [l10n.t('Format'), formats(row)],
    [l10n.t('Upstream'), row.upstream],
    [l10n.t('Upstream model'), open.details?.record?.upstreamModel],
    [l10n.t('Session'), row.sessionId],
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
  return (
    <button type="button" class="link" onClick={() => store.choose({ sessionId })}>
      {l10n.t('Show session')}
    </button>
  );
}

function formats({ callerFormat, upstreamFormat }: TrafficRow): string | undefined {
  if (upstreamFormat === undefined || upstreamFormat === callerFormat) return callerFormat;
  return `${callerFormat} → ${upstreamFormat}`;
}
