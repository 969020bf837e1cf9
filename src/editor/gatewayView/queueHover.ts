import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatSeconds } from '../../display/time.ts';
import { formatWindow } from '../../display/tokens.ts';
import { MAX_WAIT_MS } from '../../gateway/core/keyLimits.ts';
import type { LimitedKey } from './limitedKey.ts';
import { minuteLimits, usedText } from './minuteLimits.ts';

const CHANGE = 'modelAccess.changeLocalKey';
const SHOW = 'modelAccess.openTraffic';

/** The figures of a key's request limits, with links to change them and to show what is running. */
export function queueHover(limited: LimitedKey): vscode.MarkdownString {
  const { id, name } = limited.key;
  const rows = [...parallelFacts(limited), ...minuteFacts(limited), ...dayFacts(limited)];
  const hover = new vscode.MarkdownString();
  hover.isTrusted = { enabledCommands: [CHANGE, SHOW] };
  hover.appendText(name);
  hover.appendMarkdown(`\n\n| | |\n|:--|:--|\n${rows.map(([fact, figure]) => `| ${fact} | ${figure} |\n`).join('')}`);
  hover.appendMarkdown('\n---\n\n');
  hover.appendMarkdown(
    [
      link(l10n.t('Change Limits'), CHANGE, { subject: id }),
      link(l10n.t('Show Running Requests'), SHOW, { localKeyId: id, outcome: 'running' }),
    ].join(' &nbsp;&nbsp; '),
  );
  return hover;
}

type Fact = readonly [name: string, figure: string];

function parallelFacts({ key, waiting, queue }: LimitedKey): Fact[] {
  const parallel = key.limits?.parallel;
  const queued = l10n.t('{0} waiting', waiting.length);
  if (parallel === undefined || queue === undefined) return [[l10n.t('Queue'), queued]];
  return [[l10n.t('Parallel requests'), `${l10n.t('{0} of {1} running', queue.running, parallel)}, ${queued}`]];
}

function minuteFacts(limited: LimitedKey): Fact[] {
  const { inMs = 0, tokens = 0 } = limited.queue?.frees ?? {};
  const free = tokens === 0 ? '' : `, ${l10n.t('{0} free in {1}', formatWindow(tokens), formatSeconds(inMs))}`;
  return minuteLimits(limited).map((minute) => {
    const used = usedText(minute);
    return [minute.label, minute.unit === 'tokens' ? used + free : used];
  });
}

function dayFacts({ queue }: LimitedKey): Fact[] {
  if (queue === undefined) return [];
  const wait = l10n.t('{0} of at most {1}', formatSeconds(queue.longestWaitMs), formatSeconds(MAX_WAIT_MS));
  return [
    [l10n.t('Longest wait today'), wait],
    [l10n.t('Refused with 429 today'), String(queue.refused)],
  ];
}

function link(label: string, command: string, argument: unknown): string {
  return `[${label}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}
