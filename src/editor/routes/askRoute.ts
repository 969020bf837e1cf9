/** Asks for the parts of a route, one at a time. Each function returns `undefined` if the user canceled. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { EXTRA_TRIGGERS, type ExtraTrigger, type RouteRule } from '../../gateway/routing/routes/routeEntry.ts';
import { triggerText } from './routeText.ts';
import type { DescribedRequest } from './routeTrial.ts';

export interface Choice<Value> extends vscode.QuickPickItem {
  readonly value: Value;
}

type RequestClass = NonNullable<RouteRule['class']>;

export async function choose<Value>(title: string, placeHolder: string, items: readonly Choice<Value>[]) {
  const options = { title, placeHolder, ignoreFocusOut: true, matchOnDescription: true, matchOnDetail: true };
  return (await vscode.window.showQuickPick(items, options))?.value;
}

export async function askRouteName(title: string, taken: readonly string[]): Promise<string | undefined> {
  const name = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('Route name. Tools send it as the model.'),
    placeHolder: 'coding',
    ignoreFocusOut: true,
    validateInput: (value) => nameProblem(value.trim(), taken),
  });
  return name?.trim();
}

function nameProblem(name: string, taken: readonly string[]): string | undefined {
  if (name === '') return l10n.t('Enter a name.');
  return taken.includes(name) ? l10n.t('“{0}” is already a route or an alias.', name) : undefined;
}

/** Asks for a model, an `upstream/model`, or a route. */
export async function askTarget(title: string, known: readonly Choice<string>[]): Promise<string | undefined> {
  const other: Choice<string> = { label: `$(edit) ${l10n.t('Another name…')}`, value: '' };
  const target = await choose(title, l10n.t('Which model should answer?'), [...known, other]);
  if (target !== '') return target;
  const name = await vscode.window.showInputBox({
    title,
    prompt: l10n.t('Model name, alone or as upstream/model'),
    placeHolder: 'local/qwen',
    ignoreFocusOut: true,
    validateInput: (value) => (value.trim() === '' ? l10n.t('Enter a name.') : undefined),
  });
  return name?.trim();
}

/** Asks for a rule's condition on requests. */
export async function askCondition(title: string): Promise<Omit<RouteRule, 'use'> | undefined> {
  const kind = await choose<'class' | 'agent' | 'tool' | 'image' | 'tokensAbove'>(
    title,
    l10n.t('Which requests is the rule for?'),
    [
      { label: l10n.t('Requests of one class…'), description: l10n.t('such as titles and summaries'), value: 'class' },
      { label: l10n.t('Requests from one agent…'), description: l10n.t('such as Explore'), value: 'agent' },
      { label: l10n.t('Requests that offer a tool…'), description: l10n.t('such as web_search'), value: 'tool' },
      { label: l10n.t('Requests with an image'), value: 'image' },
      { label: l10n.t('Long requests…'), description: l10n.t('from a number of tokens on'), value: 'tokensAbove' },
    ],
  );
  switch (kind) {
    case undefined:
      return undefined;
    case 'image':
      return { image: true };
    case 'class': {
      const value = await choose(title, l10n.t('Which class?'), classChoices());
      return value && { class: value };
    }
    case 'tokensAbove': {
      const tokensAbove = await askTokens(title, l10n.t('For requests with more input tokens than'), '180000');
      return tokensAbove === undefined ? undefined : { tokensAbove };
    }
    case 'agent':
    case 'tool': {
      const prompt = kind === 'agent' ? l10n.t('Agent name') : l10n.t('Tool name or type');
      const value = await askWord(title, prompt, kind === 'agent' ? 'Explore' : 'web_search');
      if (value === undefined) return undefined;
      return kind === 'agent' ? { agent: value } : { tool: value };
    }
  }
}

function classChoices(): Choice<RequestClass>[] {
  return [
    { label: 'auxiliary', description: l10n.t('titles, summaries'), value: 'auxiliary' },
    { label: 'main', description: l10n.t('user questions'), value: 'main' },
    { label: 'subagent', description: l10n.t('subagent work'), value: 'subagent' },
    { label: 'workflow', value: 'workflow' },
    { label: 'compaction', description: l10n.t('summaries of long sessions'), value: 'compaction' },
  ];
}

async function askWord(title: string, prompt: string, placeHolder: string): Promise<string | undefined> {
  const validateInput = (text: string) => (text.trim() === '' ? l10n.t('Enter a name.') : undefined);
  const options = { title, prompt, placeHolder, ignoreFocusOut: true, validateInput };
  return (await vscode.window.showInputBox(options))?.trim();
}

async function askTokens(title: string, prompt: string, placeHolder: string): Promise<number | undefined> {
  const problem = (text: string) =>
    /^\s*\d[\d,_ ]*$/.test(text) ? undefined : l10n.t('Enter a whole number of tokens, such as {0}.', placeHolder);
  const options = { title, prompt, placeHolder, ignoreFocusOut: true, validateInput: problem };
  const text = await vscode.window.showInputBox(options);
  return text === undefined ? undefined : Number(text.replaceAll(/[,_ ]/g, ''));
}

/** Asks for the failures after which the next model is tried, in addition to those that always count. */
export async function askTriggers(title: string, now: readonly string[]): Promise<readonly ExtraTrigger[] | undefined> {
  const items = EXTRA_TRIGGERS.map((value) => ({ label: triggerText(value), value, picked: now.includes(value) }));
  const placeHolder = l10n.t('Also try the next target on… (always includes rate limits, errors, and timeouts)');
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  return picked?.map(({ value }) => value);
}

export async function askRequest(title: string): Promise<DescribedRequest | undefined> {
  const none: Choice<RequestClass | 'none'> = { label: l10n.t('No class'), value: 'none' };
  const requestClass = await choose(title, l10n.t('Which class does the request have?'), [none, ...classChoices()]);
  if (requestClass === undefined) return undefined;
  const agent = await askOptional(title, l10n.t('Agent name, if it has one'), 'Explore');
  if (agent === undefined) return undefined;
  const tools = await askOptional(title, l10n.t('Tools that the request offers, separated by commas'), 'web_search');
  if (tools === undefined) return undefined;
  const inputTokens = await askTokens(title, l10n.t('Input tokens'), '1200');
  if (inputTokens === undefined) return undefined;
  const hasImage = await choose(title, l10n.t('Does it contain an image?'), [
    { label: l10n.t('No'), value: false },
    { label: l10n.t('Yes'), value: true },
  ]);
  if (hasImage === undefined) return undefined;
  return {
    ...(requestClass !== 'none' && { requestClass }),
    ...(agent !== '' && { agentType: agent }),
    tools: tools.split(',').flatMap((tool) => (tool.trim() === '' ? [] : [tool.trim()])),
    inputTokens,
    hasImage,
  };
}

async function askOptional(title: string, prompt: string, example: string): Promise<string | undefined> {
  const placeHolder = l10n.t('{0}, or leave empty', example);
  return (await vscode.window.showInputBox({ title, prompt, placeHolder, ignoreFocusOut: true }))?.trim();
}
