import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { formatEstimate, formatRoughly } from '../../display/money.ts';
import { axisFor, axisMoney } from './plot/axis.ts';

/** The estimated cost on one model. */
export interface RangeRow {
  readonly model: string;
  readonly low: number;
  readonly high: number;
  /** Why the model cannot be used, shown in place of its range. */
  readonly problem?: string;
}

interface CostRangesProps {
  /** The first row: what was charged, and its label. */
  readonly charged: number;
  readonly chargedLabel: string;
  readonly chargedText: string;
  readonly rows: readonly RangeRow[];
  /** Shown below the axis. */
  readonly children?: ComponentChildren;
}

/** The estimated costs on other models, as ranges next to the actual cost. */
export function CostRanges({ charged, chargedLabel, chargedText, rows, children }: CostRangesProps) {
  const axis = axisFor(Math.max(charged, ...rows.map(({ high }) => high)));
  const at = (usd: number) => `${(100 * usd) / axis.max}%`;
  return (
    <section class="section what-if">
      <div class="plot-head">
        <h2>{l10n.t('On another model')}</h2>
        <span class="readout">{l10n.t('estimate')}</span>
      </div>
      <dl class="ranges number">
        <dt>{chargedLabel}</dt>
        <dd>
          <span class="range-track" aria-hidden="true">
            <i class="range-dot" style={{ left: at(charged) }} />
          </span>
          <span>{chargedText}</span>
        </dd>
        {rows.map((row) => (
          <Range key={row.model} row={row} at={at} charged={charged} />
        ))}
      </dl>
      <p class="range-axis number" aria-hidden="true">
        <span>{axisMoney(axis.step)(0)}</span>
        <span>{axisMoney(axis.step)(axis.max)}</span>
      </p>
      {children}
    </section>
  );
}

interface RangeProps {
  readonly row: RangeRow;
  /** Returns the position of an amount on the axis. */
  readonly at: (usd: number) => string;
  readonly charged: number;
}

function Range({ row: { model, low, high, problem }, at, charged }: RangeProps) {
  return (
    <>
      <dt title={model}>{model}</dt>
      <dd>
        <span class="range-track" aria-hidden="true">
          {problem === undefined && <i class="range-bar" style={{ left: at(low), width: at(high - low) }} />}
          <i class="range-charged" style={{ left: at(charged) }} />
        </span>
        <span>{problem ?? l10n.t('{0} to {1}', formatEstimate(low), formatRoughly(high))}</span>
      </dd>
    </>
  );
}

/** The assumptions behind the ranges. */
export function RangeNote() {
  return l10n.t('Same tokens at other prices, ±10% for the tokenizer and ±30% for the length of answers.');
}
