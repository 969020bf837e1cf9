/** Routes as the fields of the page, and back. */
import * as l10n from '@vscode/l10n';
import { defined } from '../../formats/json.ts';
import type { RouteLimits, RouteList, RouteRule, RouteSettings } from '../../gateway/routing/routes/routeEntry.ts';
import { findRouteErrors, type KnownNames, type RouteError } from '../../gateway/routing/routes/routeErrors.ts';
import { numberIn } from '../../rules/typedNumber.ts';
import type { RouteForm, RouteLimitField, RouteProblem, RuleForm } from './protocol.ts';

const LIMITS: readonly RouteLimitField[] = ['firstTokenSeconds', 'idleSeconds', 'totalSeconds'];
const TOKEN_FIELDS = ['tokensAbove', 'tokensBelow'] as const;
const MAX_SECONDS = 86_400;
const MAX_NAME_LENGTH = 512;
/** Longer lists of names are not read. */
const MAX_NAMES = 6;

export interface ReadForms {
  /** Undefined if two routes have the same name, so that one would replace the other. */
  readonly routes?: RouteList;
  /** The routes one by one, with what can be read of them. */
  readonly settings: readonly RouteSettings[];
  /** Empty if the routes can be saved. */
  readonly problems: readonly RouteProblem[];
}

export function formsOf(routes: RouteList): readonly RouteForm[] {
  return Object.entries(routes).map(([name, { use, when = [], also = [], limits = {} }]) => ({
    name,
    use,
    when: when.map(formOfRule),
    also,
    limits: {
      firstTokenSeconds: String(limits.firstTokenSeconds ?? ''),
      idleSeconds: String(limits.idleSeconds ?? ''),
      totalSeconds: String(limits.totalSeconds ?? ''),
    },
  }));
}

function formOfRule(rule: RouteRule): RuleForm {
  const { class: requestClass, agent = '', tool = '', image, tokensAbove, tokensBelow, use } = rule;
  return {
    requestClass: requestClass ?? '',
    agent,
    tool,
    image: image === undefined ? '' : image ? 'yes' : 'no',
    tokensAbove: String(tokensAbove ?? ''),
    tokensBelow: String(tokensBelow ?? ''),
    use,
  };
}

export function readForms(forms: readonly RouteForm[], known: KnownNames): ReadForms {
  const settings = forms.map(settingsOf);
  const names = forms.map(({ name }) => name.trim());
  const own = forms.flatMap((form, route) => [
    ...nameProblems(names, route),
    ...fieldProblems(form).map((problem) => ({ route, ...problem })),
  ]);
  if (new Set(names).size < names.length) return { settings, problems: own };
  const routes = Object.fromEntries(names.map((name, route) => [name, settings[route] ?? { use: [] }]));
  // An empty name was found above, and no list of allowed names helps there.
  const errors = findRouteErrors(routes, known).filter(({ value }) => value !== '');
  const found = errors.flatMap((error) => problemsOf(error, names));
  return { routes, settings, problems: [...own, ...found] };
}

function settingsOf({ use, when, also, limits }: RouteForm): RouteSettings {
  const typed: RouteLimits = defined(
    Object.fromEntries(
      LIMITS.map((field) => [field, isValidLimit(limits[field]) ? typedNumber(limits[field]) : undefined]),
    ),
  );
  return {
    use: trimmed(use),
    ...(also.length > 0 && { also: [...also] }),
    ...(when.length > 0 && { when: when.map(ruleOf) }),
    ...(Object.keys(typed).length > 0 && { limits: typed }),
  };
}

function ruleOf({ requestClass, agent, tool, image, tokensAbove, tokensBelow, use }: RuleForm): RouteRule {
  return {
    ...(requestClass !== '' && { class: requestClass }),
    ...(agent.trim() !== '' && { agent: agent.trim() }),
    ...(tool.trim() !== '' && { tool: tool.trim() }),
    ...(image !== '' && { image: image === 'yes' }),
    ...defined({ tokensAbove: tokensIn(tokensAbove), tokensBelow: tokensIn(tokensBelow) }),
    use: trimmed(use),
  };
}

/** Undefined for an empty or a wrong text. */
function tokensIn(text: string): number | undefined {
  return text.trim() !== '' && isWholeNumber(text) ? numberIn(text) : undefined;
}

function trimmed(names: readonly string[]): string[] {
  return names.map((name) => name.trim());
}

function typedNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : numberIn(text);
}

export function isWholeNumber(text: string): boolean {
  const number = numberIn(text);
  return Number.isSafeInteger(number) && number >= 0;
}

function isValidLimit(text: string): boolean {
  const number = typedNumber(text);
  return number === undefined || (number >= 0 && number <= MAX_SECONDS);
}

function nameProblems(names: readonly string[], route: number): RouteProblem[] {
  const name = names[route] ?? '';
  const problem = (text: string) => [{ route, field: 'name', text }];
  if (name === '') return problem(l10n.t('Enter a name.'));
  if (name.length > MAX_NAME_LENGTH) return problem(l10n.t('Enter a name of at most {0} characters.', MAX_NAME_LENGTH));
  if (names.indexOf(name) === route) return [];
  return problem(l10n.t('“{0}” is already a route or an alias. Enter another name.', name));
}

type FieldProblem = Omit<RouteProblem, 'route'>;

function fieldProblems({ use, when, limits }: RouteForm): FieldProblem[] {
  const limit = l10n.t('Enter a number of seconds up to {0}, or leave the field empty.', MAX_SECONDS);
  return [
    ...targetProblems(use, 'use'),
    ...when.flatMap((rule, index) => ruleProblems(rule, `when.${index}`)),
    ...LIMITS.filter((field) => !isValidLimit(limits[field])).map((field) => ({ field, text: limit })),
  ];
}

function ruleProblems(rule: RuleForm, path: string): FieldProblem[] {
  const { use: _, ...conditions } = rule;
  const isEmpty = Object.values(conditions).every((text) => text.trim() === '');
  const wrong = TOKEN_FIELDS.filter((field) => rule[field].trim() !== '' && !isWholeNumber(rule[field]));
  return [
    ...(isEmpty ? [{ field: path, text: l10n.t('Fill in at least one condition.'), isBlank: true as const }] : []),
    ...wrong.map((field) => ({ field: `${path}.${field}`, text: tokensText() })),
    ...targetProblems(rule.use, `${path}.use`),
  ];
}

/** What to enter as a number of tokens. */
export function tokensText(): string {
  return l10n.t('Enter a whole number of tokens, such as {0}.', '180000');
}

function targetProblems(use: readonly string[], path: string): FieldProblem[] {
  if (use.length === 0) return [{ field: path, text: l10n.t('Add a target.'), isBlank: true }];
  return use.flatMap((name, index): FieldProblem[] => {
    if (name.trim() !== '') return [];
    return [{ field: `${path}.${index}`, text: l10n.t('Enter a model or a route.'), isBlank: true }];
  });
}

const PLACE = /^(?:\.((?:when\.\d+\.)?use\.\d+))?$/;

/** The problem at the field that an error's path names. A route's name may itself contain dots. */
function problemsOf({ path, value, kind, allowed }: RouteError, names: readonly string[]): RouteProblem[] {
  return names.flatMap((name, route) => {
    const start = `routes.${name}`;
    const place = path.startsWith(start) ? PLACE.exec(path.slice(start.length)) : null;
    if (place === null) return [];
    const field = place[1] ?? 'name';
    const suggestion = kind === 'unknown' ? similarName(value, allowed) : undefined;
    return [{ route, field, text: errorText(kind, value, allowed), ...defined({ suggestion }) }];
  });
}

function errorText(kind: RouteError['kind'], value: string, allowed: readonly string[]): string {
  if (kind === 'circle') return l10n.t('“{0}” leads back to this route. Choose another target.', value);
  if (kind === 'taken') return l10n.t('“{0}” is already a route or an alias. Enter another name.', value);
  const names = allowed.slice(0, MAX_NAMES).join(', ');
  return l10n.t('No upstream offers “{0}”. Use a name such as {1}.', value, names);
}

const MAX_DISTANCE = 2;

/** Returns the name that was probably meant; undefined if none is similar. Patterns are no names. */
function similarName(typed: string, names: readonly string[]): string | undefined {
  const near = names
    .filter((name) => !name.includes('*'))
    .map((name) => ({ name, distance: distanceOf(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= MAX_DISTANCE)
    .toSorted((one, other) => one.distance - other.distance);
  return near[0]?.name;
}

/** The number of characters to insert, remove, or replace; exchanging two neighbors counts as two. */
function distanceOf(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DISTANCE) return MAX_DISTANCE + 1;
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (let index = 1; index <= other.length; index++) {
      const replaced = (row[index - 1] ?? 0) + Number(letter !== other[index - 1]);
      next.push(Math.min(replaced, (row[index] ?? 0) + 1, (next[index - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
