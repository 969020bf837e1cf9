/**
 * Reads the balance of a key. The specification promises a remaining balance and a package state without showing their
 * form, so this reader accepts likely shapes and never fails. Unrecognized members are undefined; `raw` contains
 * everything.
 */

import { defined, isRecord } from '../formats/json.ts';
import type { TeamAccount, TeamBudget } from '../rules/teamAccount.ts';
import { type Amount, readAmount, readNumber } from './amount.ts';
import {
  ACTIVE,
  CURRENCIES,
  CURRENCY_NAMES,
  ENVELOPE,
  EXPIRIES,
  GRANTED,
  LISTS,
  PACKAGE_NAMES,
  PERHAPS_REMAINING,
  PLACES,
  PLACES_OF_PACKAGE,
  REMAINING,
  STATES,
  UNITS,
  USED,
} from './balanceNames.ts';
import { Members, readText } from './members.ts';

interface BalanceAmount {
  readonly amount: number;
  /** Three letters, such as `USD`. */
  readonly currency: string;
}

export interface Balance {
  /** In `currency`. Negative if overdrawn; undefined if the response contains no such figure. */
  readonly remaining?: number;
  /** The initial amount of the package, and the amount spent. */
  readonly granted?: number;
  readonly used?: number;
  readonly currency: string;
  readonly packageName?: string;
  /** The service's own word for the state, such as `active`. */
  readonly packageState?: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Remaining amounts in other currencies. */
  readonly others: readonly BalanceAmount[];
  /** The key and its budgets, if it belongs to a team's gateway. */
  readonly team?: TeamAccount;
  /** The raw response. */
  readonly raw: unknown;
}

/**
 * Reads a balance and never throws.
 * @param body the parsed response of `/balance`.
 */
export function readBalance(body: unknown): Balance {
  const records = recordsIn(body);
  const [first, ...others] = moneyIn(body, records);
  const granted = figure(records, GRANTED);
  const used = figure(records, USED);
  const left = granted !== undefined && used !== undefined ? granted.value - used.value : undefined;
  const remaining = first?.amount ?? left;
  const packageName = firstOf(records, PACKAGE_NAMES, readText);
  const packageState = firstOf(records, STATES, readState) ?? firstOf(records, ACTIVE, readActive);
  const expiresAt = firstOf(records, EXPIRIES, readTime);
  const team = readTeamAccount(body);
  return {
    ...(remaining !== undefined && { remaining }),
    ...(granted !== undefined && { granted: granted.value }),
    ...(used !== undefined && { used: used.value }),
    currency: first?.currency ?? granted?.currency ?? currencyIn(records) ?? 'USD',
    ...defined({ packageName, packageState, expiresAt }),
    others,
    ...(team !== undefined && { team }),
    raw: body,
  };
}

function recordsIn(body: unknown): Members[] {
  const found: unknown[] = [];
  let level = [body];
  for (let depth = 0; depth < 3; depth += 1) {
    found.push(...level);
    level = level.flatMap((each) => {
      const members = new Members(each);
      return [...PLACES, ...PLACES_OF_PACKAGE].map((name) => members.get(name)).filter(isRecord);
    });
  }
  return found.map((each) => new Members(each));
}

/** Returns the remaining amounts, one per currency, US dollars first. */
function moneyIn(body: unknown, records: readonly Members[]): readonly BalanceAmount[] {
  const several = [...moneyInLists(body, records), ...moneyByCurrency(records)];
  if (several.length > 0)
    return several.toSorted((a, b) => Number(b.currency === 'USD') - Number(a.currency === 'USD'));
  const single = remainingIn(records) ?? readAmount(body);
  return single === undefined ? [] : [moneyOf(single, records)];
}

function moneyOf({ value, currency }: Amount, records: readonly Members[]): BalanceAmount {
  return { amount: value, currency: currency ?? currencyIn(records) ?? 'USD' };
}

/** Reads amounts from lists. Entries of one currency are added up, because a key can have several packages. */
function moneyInLists(body: unknown, records: readonly Members[]): BalanceAmount[] {
  const lists = [body, ...records.flatMap((members) => LISTS.map((name) => members.get(name)))].filter(Array.isArray);
  const amounts = lists.map((list) => list.flatMap(moneyOfEntry)).find((found) => found.length > 0) ?? [];
  const sums = new Map<string, number>();
  for (const { amount, currency } of amounts) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ amount, currency }));
}

function moneyOfEntry(entry: unknown): BalanceAmount[] {
  const records = [new Members(entry)];
  const amount = remainingIn(records);
  return amount === undefined ? [] : [moneyOf(amount, records)];
}

function moneyByCurrency(records: readonly Members[]): BalanceAmount[] {
  const amounts = records.map((members) =>
    [...members.entries()].flatMap(([name, value]) => {
      const amount = CURRENCIES.has(name) ? readAmount(value) : undefined;
      return amount === undefined ? [] : [{ amount: amount.value, currency: name.toUpperCase() }];
    }),
  );
  return amounts.find((found) => found.length > 0) ?? [];
}

function remainingIn(records: readonly Members[]): Amount | undefined {
  return figure(records, REMAINING) ?? figure(records, PERHAPS_REMAINING);
}

/** Returns the first figure with one of the names, with the unit from its name or from its object. */
function figure(records: readonly Members[], names: readonly string[]): Amount | undefined {
  for (const members of records) {
    for (const name of names) {
      for (const [ending, divisor, unit] of UNITS) {
        const amount = readAmount(members.get(name + ending));
        const currency = amount?.currency ?? unit ?? currencyIn([members]);
        if (amount !== undefined) return { value: amount.value / divisor, ...(currency !== undefined && { currency }) };
      }
    }
  }
  return undefined;
}

function currencyIn(records: readonly Members[]): string | undefined {
  return firstOf(records, CURRENCY_NAMES, (value) => {
    const text = readText(value);
    return text !== undefined && /^[A-Za-z]{3}$/.test(text) ? text.toUpperCase() : undefined;
  });
}

function firstOf<T>(
  records: readonly Members[],
  paths: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const path of paths) {
    for (const members of records) {
      const value = members.first([path], read);
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

function readState(value: unknown): string | undefined {
  const text = readText(value);
  return text === undefined || text.length > 64 || ENVELOPE.test(text) ? undefined : text;
}

function readActive(value: unknown): string | undefined {
  if (typeof value !== 'boolean') return undefined;
  return value ? 'active' : 'inactive';
}

/**
 * Reads seconds or milliseconds since the epoch, or a date as text.
 * @returns milliseconds.
 */
function readTime(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : Number(readText(value) ?? Number.NaN);
  if (number > 1e8 && number < 1e16) return number < 1e11 ? number * 1000 : number;
  const date = Number.isNaN(number) ? Date.parse(readText(value) ?? '') : Number.NaN;
  return Number.isNaN(date) ? undefined : date;
}

/**
 * A key of a team's gateway. Its `/balance` names the key, its team, and the budgets of both; other services' balances do
 * not. See docs/team.md.
 * @returns undefined if this is not the balance of a key of a team's gateway.
 */
function readTeamAccount(body: unknown): TeamAccount | undefined {
  if (!isRecord(body) || body.object !== 'balance' || !isRecord(body.key) || !Array.isArray(body.budgets))
    return undefined;
  const [id, name] = [readText(body.key.id), readText(body.key.name)];
  if (id === undefined || name === undefined) return undefined;
  const team = readTeam(body.team);
  return {
    key: { id, name },
    ...(team !== undefined && { team }),
    usedToday: readNumber(body.used_today) ?? 0,
    budgets: body.budgets.flatMap(readBudget),
  };
}

function readTeam(team: unknown): TeamAccount['team'] {
  const name = isRecord(team) ? readText(team.name) : undefined;
  if (!isRecord(team) || name === undefined) return undefined;
  return { name, keys: readNumber(team.keys) ?? 1, dailyAverage: readNumber(team.daily_average) ?? 0 };
}

function readBudget(budget: unknown): TeamBudget[] {
  if (!isRecord(budget)) return [];
  const unit = isRecord(budget.tokens) ? 'tokens' : 'usd';
  const figures = isRecord(budget.tokens) ? budget.tokens : budget;
  const [granted, used] = [readNumber(figures.granted), readNumber(figures.used)];
  if (granted === undefined || used === undefined) return [];
  const renewsAt = Date.parse(readText(budget.renews_at) ?? '');
  const usedByKey = readNumber(budget.used_by_key);
  return [
    {
      of: budget.of === 'team' ? 'team' : 'key',
      unit,
      period: budget.period === 'monthly' || budget.period === 'daily' ? budget.period : 'total',
      ...{ granted, used, reserved: readNumber(figures.reserved) ?? 0, remaining: Math.max(0, granted - used) },
      ...(!Number.isNaN(renewsAt) && { renewsAt }),
      ...(usedByKey !== undefined && { usedByKey }),
    },
  ];
}
