import * as l10n from '@vscode/l10n';
import { cutMiddle } from '../../../agent/cutText.ts';
import type { ToolOutcome } from '../../../agent/tools/tool.ts';
import { formatMoney } from '../../../display/money.ts';
import type { HelperRun } from './helperRun.ts';

/** The most of a report that the model gets, in characters. */
const MAX_REPORT = 16_000;

/** What helpers say at their ends, for the run that has started them. */
export function helpersOutcome(helpers: readonly HelperRun[]): ToolOutcome {
  const failed = helpers.filter(({ isDone }) => !isDone).length;
  const ended =
    failed === 0 ? l10n.t('{0} of {0} done', helpers.length) : l10n.t('{0} of {1} failed', failed, helpers.length);
  // The figures of the step are those of the request that has started the helpers.
  const spent = helpers.reduce((sum, helper) => sum + helper.spent, 0);
  const note = `${ended} · ${formatMoney(spent)}`;
  const warning = helpers.map((helper) => helper.warning).find((one) => one !== undefined);
  return {
    text: helpers.map(reportOf).join('\n\n'),
    isError: failed === helpers.length,
    source: { name: helpers.map(({ task }) => task.name).join(', '), isFile: false },
    warning,
    action: { note, state: failed === helpers.length ? 'failed' : 'done' },
  };
}

function reportOf(helper: HelperRun): string {
  const { task, spent, steps } = helper;
  const head = `## ${task.name} (${task.role.name}, ${task.model}, ${steps.length} steps, ${formatMoney(spent)})`;
  const said = steps.findLast(({ text }) => text !== '')?.text ?? '';
  const report = cutMiddle(said, 'Ask a helper for a shorter report.', MAX_REPORT);
  if (helper.isDone) return `${head}\n${report === '' ? '(It has said nothing.)' : report}`;
  const last = report === '' ? 'It has said nothing before.' : `It has said before:\n${report}`;
  return `${head}\nIt did not finish: ${whyNot(helper)} ${last}`;
}

function whyNot({ reason, hasLoop, steps }: HelperRun): string {
  if (hasLoop) return 'it repeated itself.';
  if (reason === 'user') return 'the user stopped it. Do not start it again without being asked.';
  if (reason === 'budget') return 'its budget is used up.';
  const failure = steps.at(-1)?.failure;
  return failure === undefined ? 'it was stopped.' : `${failure.title}. ${failure.detail}`;
}
