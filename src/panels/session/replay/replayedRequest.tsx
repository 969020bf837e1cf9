import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../../display/money.ts';
import { formatDuration } from '../../../display/time.ts';
import { formatTokens } from '../../../display/tokens.ts';
import type { AnswerView, CallView, Replay, ReplayedRequest } from '../../../pages/session/replay/protocol.ts';
import { Icon } from '../../shared/icon.tsx';
import { indentedJson } from '../../shared/indentedJson.ts';
import { addedText, comparisonWord, stateWord } from './replayWords.ts';

const STATE_ICONS = {
  waiting: 'circle-large',
  answered: 'check',
  failed: 'error',
  stopped: 'circle-slash',
  skipped: 'circle-slash',
} as const;

interface ReplayedRequestProps {
  readonly step: ReplayedRequest;
  readonly replay: Replay;
  readonly isOpen: boolean;
}

/** One request with the recorded answer and the new one side by side. */
export function ReplayedRequestView({ step, replay, isOpen }: ReplayedRequestProps) {
  const { number, state, recorded, replayed, recordedModel, comparison, problem, isAnswerKnown } = step;
  const word = state !== 'answered' ? stateWord(state) : comparison && comparisonWord(comparison);
  return (
    <details class={`replayed ${state}`} open={isOpen}>
      <summary>
        <Icon name="chevron-right" size={12} />
        {state === 'running' ? <span class="spinner" /> : <Icon name={STATE_ICONS[state]} size={14} />}
        <span class="replayed-name">{l10n.t('Request {0}', number)}</span>
        <span class="replayed-added quiet">{addedText(step)}</span>
        <span class="replayed-word">{word}</span>
        <span class="replayed-costs number">{costsText(step)}</span>
      </summary>
      {problem !== undefined && <p class="replayed-problem">{problem}</p>}
      {step.isWithoutReasoning && (
        <p class="quiet">{l10n.t('Sent without the recorded reasoning and its settings, which the model refused.')}</p>
      )}
      <div class="sides">
        <Side
          title={l10n.t('{0}, recorded', recordedModel)}
          answer={recorded}
          mark="del"
          nothing={isAnswerKnown ? l10n.t('No text.') : l10n.t('The answer was not captured.')}
        />
        <Side title={replay.model} answer={replayed} mark="ins" nothing={nothingText(state)} />
      </div>
    </details>
  );
}

interface SideProps {
  readonly title: string;
  readonly answer: AnswerView | undefined;
  readonly mark: 'del' | 'ins';
  /** Shown in place of an answer without text and calls. */
  readonly nothing: string;
}

function Side({ title, answer, mark: Mark, nothing }: SideProps) {
  const { segments = [], calls = [] } = answer ?? {};
  return (
    <div class="side">
      <h3>{title}</h3>
      <p class="quiet number">{answer && figuresText(answer)}</p>
      {segments.length === 0 && calls.length === 0 && <p class="quiet">{nothing}</p>}
      {segments.length > 0 && (
        <p class="said">
          {segments.map(({ text, differs }, index) => (differs ? <Mark key={index}>{text}</Mark> : text))}
        </p>
      )}
      {calls.length > 0 && (
        <ul class="calls">
          {calls.map((call, index) => (
            <Call key={index} call={call} mark={Mark} />
          ))}
        </ul>
      )}
    </div>
  );
}

function nothingText(state: ReplayedRequest['state']): string {
  if (state === 'waiting' || state === 'running') return '';
  return state === 'answered' ? l10n.t('No text.') : l10n.t('No answer.');
}

function Call({ call, mark: Mark }: { readonly call: CallView; readonly mark: 'del' | 'ins' }) {
  const text = indentedJson(call.arguments) ?? call.arguments;
  return (
    <li>
      <span class="call-name">
        <Icon name="tools" size={14} />
        {call.name}
      </span>
      {text !== '' && <pre>{call.differs ? <Mark>{text}</Mark> : text}</pre>}
    </li>
  );
}

function figuresText({ inputTokens, readTokens = 0, outputTokens, cost, durationMs }: AnswerView) {
  const read =
    readTokens > 0 ? l10n.t('{0} in, {1} read', formatTokens(inputTokens ?? 0), formatTokens(readTokens)) : undefined;
  return [
    read ?? (inputTokens === undefined ? undefined : l10n.t('{0} in', formatTokens(inputTokens))),
    outputTokens === undefined ? undefined : l10n.t('{0} out', formatTokens(outputTokens)),
    cost === undefined ? undefined : formatMoney(cost),
    durationMs === undefined ? undefined : formatDuration(durationMs),
  ]
    .filter((part) => part !== undefined)
    .join(' · ');
}

/** The recorded cost and the new one. */
function costsText({ recorded, replayed }: ReplayedRequest): string {
  const costs = [recorded.cost, replayed?.cost].map((cost) => (cost === undefined ? '–' : formatMoney(cost)));
  return costs.join(' → ');
}
