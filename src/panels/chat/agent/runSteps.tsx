import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { formatMoney } from '../../../display/money.ts';
import type { AnswerTurn, ReplacedSteps, RunQuestion, RunView } from '../../../pages/chat/protocol.ts';
import { isRunning } from '../../../rules/answer.ts';
import { Icon } from '../../shared/icon.tsx';
import { AnswerHead } from '../answer/answerHead.tsx';
import { costText } from '../answer/costText.ts';
import { FailureCard } from '../answer/failureCard.tsx';
import { LiveLine } from '../answer/figures.tsx';
import { MoreButton, useShownPart } from '../answer/longList.tsx';
import { Reasoning } from '../answer/reasoning.tsx';
import { RetryCard } from '../answer/retryCard.tsx';
import { useFold } from '../answer/useFold.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { PlanCard } from './planCard.tsx';
import { type StepGroup, sumOf } from './runs.ts';
import { StepCard } from './stepCard.tsx';

interface RunStepsProps {
  readonly group: StepGroup;
  /** The run, if it is the last one of the chat. */
  readonly run: RunView | undefined;
  /** Whether nothing follows these steps. */
  readonly last: boolean;
}

/** Consecutive steps of a run. All but the last ones are folded into a line with their sum. */
export function RunSteps({ group, run, last }: RunStepsProps) {
  const { steps, begins, first, folded } = group;
  const [open, toggle] = useFold(`steps ${steps[0]?.id}`);
  const hidden = steps.slice(0, folded);
  const part = useShownPart(steps.length);
  const skipped = open ? part.left : folded;
  const shown = steps.slice(skipped);
  const from = first + skipped;
  const question = run?.question;
  const isSample = steps[0]?.sandbox === true;
  const waitsFor =
    question === undefined || question.type === 'cap' || isOfHelper(question) ? undefined : question.callId;
  return (
    <div class="turn run">
      {begins && steps[0] !== undefined && <AnswerHead turn={steps[0]} />}
      {begins && run !== undefined && run.plan.length > 0 && <PlanCard plan={run.plan} isOver={run.state === 'done'} />}
      {begins && run?.replaced !== undefined && <Replaced replaced={run.replaced} isSample={isSample} />}
      {folded > 0 && <EarlierSteps steps={hidden} open={open} onToggle={toggle} />}
      {open && <MoreButton part={part} earlier />}
      <ol class="steps" aria-label={l10n.t('Steps')} start={from}>
        {shown.map((turn, index) => (
          <Step
            key={turn.id}
            turn={turn}
            number={from + index}
            isLast={last && index === shown.length - 1}
            waitsFor={waitsFor}
          />
        ))}
      </ol>
    </div>
  );
}

/** A helper's calls have no rows of the run, which may have calls with the same IDs. */
function isOfHelper(question: RunQuestion): boolean {
  return question.type === 'approval' && question.helper !== undefined;
}

interface EarlierStepsProps {
  readonly steps: readonly AnswerTurn[];
  readonly open: boolean;
  readonly onToggle: () => void;
}

function EarlierSteps({ steps, open, onToggle }: EarlierStepsProps) {
  const cost = costText(sumOf(steps));
  const isSample = steps[0]?.sandbox === true;
  return (
    <button type="button" class="earlier-steps number" aria-expanded={open} onClick={onToggle}>
      <Icon name={open ? 'chevron-down' : 'chevron-right'} size={12} />
      <span>{steps.length === 1 ? l10n.t('1 earlier step') : l10n.t('{0} earlier steps', steps.length)}</span>
      {cost !== undefined && <span class={isSample ? 'earlier-cost' : 'earlier-cost strong'}>{cost}</span>}
    </button>
  );
}

/** What was paid for answers that are not among the steps, so that all amounts add up to that of the head. */
function Replaced({
  replaced: { count, cost },
  isSample,
}: {
  readonly replaced: ReplacedSteps;
  readonly isSample: boolean;
}) {
  return (
    <p class="earlier-steps number">
      <Icon name="history" size={12} />
      <span>{count === 1 ? l10n.t('1 replaced answer') : l10n.t('{0} replaced answers', count)}</span>
      <span class={isSample ? 'earlier-cost' : 'earlier-cost strong'}>{formatMoney(cost)}</span>
    </p>
  );
}

interface RunStepProps {
  readonly turn: AnswerTurn;
  readonly number: number;
  readonly isLast: boolean;
  /** The call that a card asks about, which has no row meanwhile. */
  readonly waitsFor: string | undefined;
}

/** An unchanged step is not rendered again. */
function Step({ turn, number, isLast, waitsFor }: RunStepProps) {
  const mine = turn.toolCalls?.some(({ id }) => id === waitsFor) === true ? waitsFor : undefined;
  return useMemo(() => stepView({ turn, number, isLast, waitsFor: mine }), [turn, number, isLast, mine]);
}

function stepView({ turn, number, isLast, waitsFor }: RunStepProps) {
  const running = isRunning(turn);
  return (
    <li>
      <article
        class="step"
        data-turn={turn.id}
        aria-label={l10n.t('Step {0}', number)}
        aria-busy={running}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move between turns, Tab enters one
        tabIndex={0}
      >
        {turn.reasoning !== '' && <Reasoning turn={turn} />}
        {turn.text !== '' && <Markdown source={turn.text} complete={!running} />}
        <StepCard turn={turn} waitsFor={waitsFor} />
        {turn.retry !== undefined && <RetryCard turnId={turn.id} retry={turn.retry} />}
        {turn.failure !== undefined && <FailureCard turnId={turn.id} failure={turn.failure} withSteps={isLast} />}
        {running && turn.retry === undefined && <LiveLine turn={turn} />}
      </article>
    </li>
  );
}
