/** The form of the page: its initial values, and the local key that it describes. */

import * as l10n from '@vscode/l10n';
import { defined } from '../../../formats/json.ts';
import type { IssuedKey, KeyTerms } from '../../../gateway/keys/issuedKey.ts';
import type { ConnectForm, ConnectProblems } from '../../../pages/connectTool/protocol.ts';
import type { KeyForm, KeyFormProblems } from '../../../pages/localKey/protocol.ts';
import { readForm } from '../../../pages/localKey/readForm.ts';
import type { ClientProgram } from '../../../tools/tool.ts';
import type { ToolConnection } from '../toolConnections.ts';

export interface KeyOfTool {
  readonly name: string;
  readonly terms: KeyTerms;
  /** Empty if the tool can be connected. */
  readonly problems: ConnectProblems;
}

/** The fields for a selected tool: those of its connection, or else an unlimited key named after the tool. */
export function openingForm(
  tool: ClientProgram,
  model: string,
  keys: readonly IssuedKey[],
  connection: ToolConnection | undefined,
): ConnectForm {
  const key = keys.find(({ id }) => id === connection?.key);
  const budget = shownBudget(key);
  const cap = key?.limits?.sessionDollars;
  return {
    tool: tool.id,
    model: connection?.access?.model ?? model,
    name: key?.name ?? freeName(tool.name, keys),
    budget: budget === undefined ? '' : String(budget.amount),
    period: budget?.period ?? 'monthly',
    sessionDollars: cap === undefined ? '' : String(cap),
    addsAliases: connection === undefined || connection.aliases !== undefined,
  };
}

/** @param earlier The tool's existing key. Terms that the form does not show are kept. */
export function keyOfForm(
  form: ConnectForm,
  keys: readonly IssuedKey[],
  earlier: IssuedKey | undefined,
  now: number,
): KeyOfTool {
  const others = keys.filter(({ id }) => id !== earlier?.id).map(({ name }) => name);
  const { name, terms, problems } = readForm(keyForm(form), others, now);
  return { name, terms: withUnshown(terms, earlier), problems: problemsOf(form, problems) };
}

function keyForm({ name, budget, period, sessionDollars }: ConnectForm): KeyForm {
  return {
    name,
    unit: 'usd',
    budgets: { daily: '', monthly: '', total: '', [period]: budget },
    lowersLimits: true,
    requestsPerMinute: '',
    parallel: '',
    tokensPerMinute: '',
    sessionDollars,
    patterns: '',
    secrets: 'default',
    expiry: 'never',
    date: '',
  };
}

function problemsOf({ model, period }: ConnectForm, problems: KeyFormProblems): ConnectProblems {
  const { name, sessionDollars, [period]: budget } = problems;
  return {
    ...(model.trim() === '' && { model: l10n.t('Choose a model.') }),
    ...defined({ name, budget, sessionDollars }),
  };
}

/** The form has one budget, but a key may have several. */
function shownBudget(key: KeyTerms | undefined) {
  return key?.budgets?.find(({ unit }) => unit === 'usd');
}

function withUnshown(terms: KeyTerms, earlier: KeyTerms | undefined): KeyTerms {
  if (earlier === undefined) return terms;
  const shown = shownBudget(earlier);
  const periods = new Set(terms.budgets?.map(({ period }) => period));
  const kept = (earlier.budgets ?? []).filter((budget) => budget !== shown && !periods.has(budget.period));
  const { sessionDollars: _, ...limits } = earlier.limits ?? {};
  const { expiresAt, models, secrets, lowersLimits, measuresContext } = earlier;
  return {
    budgets: [...(terms.budgets ?? []), ...kept],
    limits: { ...limits, ...terms.limits },
    ...defined({ expiresAt, models, secrets, lowersLimits, measuresContext }),
  };
}

/** A key with that name may be left from an earlier connection, or be the user's own. */
function freeName(name: string, keys: readonly IssuedKey[]): string {
  const taken = new Set(keys.map((key) => key.name.toLowerCase()));
  let free = name;
  for (let count = 2; taken.has(free.toLowerCase()); count += 1) free = `${name} ${count}`;
  return free;
}
