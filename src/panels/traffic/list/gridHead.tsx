import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import type { TimeScale } from './scale.ts';

interface GridHeadProps {
  readonly scale: TimeScale;
  readonly element: RefObject<HTMLDivElement | null>;
  /** Width of the scrollbar beside the rows, which the columns leave free. */
  readonly barWidth: number;
}

/** The column headers, and the axis of the waterfall. */
export function GridHead({ scale, element, barWidth }: GridHeadProps) {
  return (
    <div role="rowgroup" class="grid-head" ref={element} style={{ paddingInlineEnd: `${barWidth}px` }}>
      <div role="row" class="line" aria-rowindex={1}>
        <span role="columnheader" class="cell result">
          <span class="hidden-text">{l10n.t('Result')}</span>
        </span>
        <span role="columnheader" class="cell time">
          {l10n.t('Time')}
        </span>
        <span role="columnheader" class="cell tool">
          {l10n.t('Tool')}
        </span>
        <span role="columnheader" class="cell model">
          {l10n.t('Model')}
        </span>
        <span role="columnheader" class="cell figure in" title={l10n.t('Input tokens')}>
          {l10n.t('In')}
        </span>
        <span role="columnheader" class="cell figure out" title={l10n.t('Output tokens')}>
          {l10n.t('Out')}
        </span>
        <span role="columnheader" class="cell figure cost">
          {l10n.t('Cost')}
        </span>
        <span role="columnheader" class="cell axis">
          <span class="hidden-text">{l10n.t('Duration')}</span>
          <span class="bars ticks number" aria-hidden="true">
            {scale.ticks.map((tick) => (
              <span key={tick} class="tick" style={{ left: `${(tick / scale.maxMs) * 100}%` }}>
                {tick === 0 ? '0 s' : secondsOf(tick)}
              </span>
            ))}
          </span>
        </span>
      </div>
    </div>
  );
}

function secondsOf(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}
