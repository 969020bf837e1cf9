import * as l10n from '@vscode/l10n';
import { formatTokens, formatWindow, spokenTokens } from '../../display/tokens.ts';
import type { UsageMoment, UsageReport } from '../../editor/usage/protocol.ts';
import { LinePlot } from './linePlot.tsx';

/** Input tokens, cached input tokens, and output tokens. */
export function TokensPlot({ report }: { readonly report: UsageReport }) {
  const line = (key: string, name: string, color: string, value: (moment: UsageMoment) => number) => ({
    key,
    name,
    color,
    values: new Map(report.moments.map((moment) => [moment.time, value(moment)])),
  });
  const { inputTokens, outputTokens } = report.totals;
  return (
    <LinePlot
      report={report}
      title={l10n.t('Tokens')}
      lines={[
        line('input', l10n.t('input'), 'series-0', (moment) => moment.inputTokens),
        { ...line('cached', l10n.t('cached'), 'series-0', (moment) => moment.cachedInputTokens), isDashed: true },
        line('output', l10n.t('output'), 'series-4', (moment) => moment.outputTokens),
      ]}
      format={formatTokens}
      formatAxis={() => formatWindow}
      isGap={false}
      label={l10n.t('{0} input and {1} output in this period.', spokenTokens(inputTokens), spokenTokens(outputTokens))}
    />
  );
}
