import * as l10n from '@vscode/l10n';
import { formatDuration } from '../../display/time.ts';
import type { UsageReport, UsageTimes } from '../../editor/usage/protocol.ts';
import { axisTime } from '../shared/plot/axis.ts';
import { type Line, LinePlot } from './linePlot.tsx';

/** The time to the first token over the period. */
export function FirstTokenPlot({ report }: { readonly report: UsageReport }) {
  const line = (key: keyof UsageTimes, name: string): Line => ({
    key,
    name,
    color: 'series-1',
    isDashed: key === 'p95',
    values: new Map(report.moments.flatMap(({ time, firstByte }) => (firstByte ? [[time, firstByte[key]]] : []))),
  });
  const { firstByte } = report;
  return (
    <LinePlot
      report={report}
      title={l10n.t('Time to first token')}
      lines={[line('p95', l10n.t('p95')), line('median', l10n.t('median'))]}
      format={formatDuration}
      formatAxis={axisTime}
      isGap
      label={
        firstByte === undefined
          ? l10n.t('No answers in this period.')
          : l10n.t(
              'Half of the answers began within {0}, 95 percent within {1}.',
              formatDuration(firstByte.median),
              formatDuration(firstByte.p95),
            )
      }
    />
  );
}
