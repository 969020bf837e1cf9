import * as l10n from '@vscode/l10n';
import { formatMoney } from '../../../display/money.ts';
import { sessionName } from '../../../display/sessionName.ts';
import { approximately, formatShare, formatTokens } from '../../../display/tokens.ts';
import type { SessionSums, ViewContext } from '../../../pages/traffic/protocol.ts';
import { outcomeOf } from '../../../rules/exchange.ts';
import { missWord } from '../../shared/missWords.ts';
import { attemptLanes } from '../detail/attemptLanes.ts';
import { clockTime, endWord, exchangesText, RESULT_ICONS, type Result, toolName, UNKNOWN } from '../words.ts';
import type { TreeNode } from './treeNodes.ts';
import { hitRate, type TreeSums } from './treeSums.ts';

/** Data for the texts of a node, besides the node itself. */
export interface NodeNames {
  readonly viewContext: ViewContext | undefined;
  /** Titles of chats, by ID. */
  readonly titles: Readonly<Record<string, string>>;
}

/** The texts of a row: its name, a secondary note, its icon, and its result if it has one. */
export interface NodeWords {
  readonly name: string;
  readonly note: string;
  readonly icon: string;
  readonly result?: Result;
}

export function nodeWords(node: TreeNode, names: NodeNames): NodeWords {
  switch (node.kind) {
    case 'session':
      return sessionWords(node.session, node.isRunning, names);
    case 'agent': {
      const name = node.number === 0 ? l10n.t('Main agent') : (node.type ?? l10n.t('Subagent {0}', node.number));
      return { name, note: joined(node.model, exchangesText(node.sums.requests)), icon: 'robot' };
    }
    case 'turn': {
      const name = node.number === undefined ? l10n.t('Turn') : l10n.t('Turn {0}', node.number);
      const note = joined(clockTime(node.at), exchangesText(node.sums.requests));
      return { name, note, icon: 'comment-discussion' };
    }
    case 'request': {
      const { row } = node;
      const result = outcomeOf(row);
      const ended = result === 'completed' ? undefined : endWord(row);
      const attempts = attemptLanes(row).length;
      const retried = attempts > 1 ? l10n.t('{0} attempts', attempts) : undefined;
      const note = joined(row.model, ended, retried, row.cacheMiss && missWord(row.cacheMiss.reason));
      return { name: clockTime(row.at), note, icon: RESULT_ICONS[result], result };
    }
    case 'earlier':
      return { name: earlierText(node), note: '', icon: 'ellipsis' };
  }
}

function sessionWords(session: SessionSums, isRunning: boolean, { viewContext, titles }: NodeNames): NodeWords {
  if (session.sessionId === '') {
    return { name: l10n.t('Without a session'), note: exchangesText(session.exchanges), icon: 'circle-slash' };
  }
  const { source, localKeyId, client, model, turns, lastEnd: end, lastStatus: status } = session;
  const caller = { source, ...(localKeyId !== '' && { localKeyId }), ...(client !== '' && { client }) };
  const name = titles[session.conversationId] ?? sessionName(toolName(caller, viewContext), session.at);
  const result = isRunning ? 'running' : outcomeOf({ end, ...(status !== undefined && { status }) });
  const ended = result === 'refused' || result === 'failed' ? endWord({ end }) : undefined;
  return {
    name,
    note: joined(model, turns === 0 ? exchangesText(session.exchanges) : turnsText(turns), ended),
    icon: RESULT_ICONS[result],
    result,
  };
}

function turnsText(turns: number): string {
  return turns === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', turns);
}

function earlierText({ of, count }: Extract<TreeNode, { kind: 'earlier' }>): string {
  if (of === 'turns') return count === 1 ? l10n.t('1 earlier turn') : l10n.t('{0} earlier turns', count);
  return count === 1 ? l10n.t('1 earlier request') : l10n.t('{0} earlier requests', count);
}

/** Returns the texts of a row's figures. A dash means that a figure is unknown or does not apply. */
export function figureTexts(
  sums: TreeSums,
): Readonly<Record<'uncached' | 'read' | 'written' | 'cached' | 'output' | 'cost' | 'hits' | 'avoidable', string>> {
  const { isEstimated, read, written, cost, avoidable } = sums;
  const tokens = (count: number | undefined) => {
    if (count === undefined) return UNKNOWN;
    return isEstimated && count > 0 ? approximately(formatTokens(count)) : formatTokens(count);
  };
  const hits = hitRate(sums);
  const cached = read === undefined && written === undefined ? undefined : (read ?? 0) + (written ?? 0);
  const money = cost === undefined ? UNKNOWN : formatMoney(cost);
  return {
    uncached: tokens(sums.uncached),
    read: tokens(read),
    written: tokens(written),
    cached: tokens(cached),
    output: tokens(sums.output),
    cost: isEstimated && cost !== undefined && cost > 0 ? approximately(money) : money,
    hits: hits === undefined ? UNKNOWN : formatShare(hits),
    avoidable: avoidable === 0 ? UNKNOWN : formatMoney(avoidable),
  };
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' · ');
}
