/** The quick picks behind “Routes…”: a list of routes, and one route with its rules and targets. */
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatEstimate } from '../../display/money.ts';
import type { RouteList, RouteSettings } from '../../gateway/routing/routes/routeEntry.ts';
import { inputCost } from '../../tokens/price.ts';
import type { ModelList } from '../models/modelList.ts';
import { readRouteList } from '../settings/routeList.ts';
import type { Settings } from '../settings/settings.ts';
import { askCondition, askRequest, askRouteName, askTarget, askTriggers, type Choice, choose } from './askRoute.ts';
import * as changes from './routeChanges.ts';
import { pricesText, targetChoices } from './routeTargets.ts';
import { routeSummary, ruleText, targetsText, triggerText } from './routeText.ts';
import { tryRoute } from './routeTrial.ts';

export interface RouteServices {
  readonly settings: Settings;
  readonly models: ModelList;
  /** The upstreams and aliases whose names routes may use. */
  readonly known: () => Parameters<typeof readRouteList>[1];
}

/** One list or question. Returns the next one. */
type Step = () => Promise<Step | undefined>;

/** Lists the routes, and follows the user's choices until a list is closed. */
export async function manageRoutes(services: RouteServices): Promise<void> {
  let step: Step | undefined = new RouteMenu(services).list;
  while (step !== undefined) step = await step();
}

class RouteMenu {
  readonly #services: RouteServices;

  constructor(services: RouteServices) {
    this.#services = services;
  }

  /** The routes in the setting. If it has errors, it can only be edited as text. */
  get #routes(): RouteList {
    return this.#read().routes ?? {};
  }

  readonly list: Step = async () => {
    const { problems } = this.#read();
    if (problems.length > 0) return this.#showProblems(problems);
    const routes: Choice<Step>[] = Object.entries(this.#routes).map(([name, route]) => ({
      label: `$(type-hierarchy-sub) ${name}`,
      description: targetsText(route.use),
      detail: routeSummary(route),
      value: () => this.#route(name),
    }));
    const placeHolder =
      routes.length === 0
        ? l10n.t('No routes. Tools get the model that they request.')
        : l10n.t('Tools send the name of a route as the model');
    return choose<Step>(l10n.t('Routes'), placeHolder, [
      ...routes,
      { label: `$(add) ${l10n.t('New route…')}`, value: () => this.#create() },
      { label: `$(json) ${l10n.t('Open Setting')}`, value: openInSettings },
    ]);
  };

  #read() {
    return readRouteList(this.#services.settings.routes, this.#services.known());
  }

  async #showProblems(problems: readonly string[]): Promise<Step | undefined> {
    const items = problems.map((problem) => ({ label: `$(error) ${problem}`, value: openInSettings }));
    const placeHolder = l10n.t('The routes contain an error and can only be edited in the settings');
    const edit = { label: `$(json) ${l10n.t('Open Setting')}`, value: openInSettings };
    return choose<Step>(l10n.t('Routes'), placeHolder, [...items, edit]);
  }

  async #create(): Promise<Step | undefined> {
    const title = l10n.t('New Route');
    const taken = [...Object.keys(this.#routes), ...Object.keys(this.#services.settings.gatewayAliases.aliases)];
    const name = await askRouteName(title, taken);
    if (name === undefined) return this.list;
    const target = await askTarget(title, this.#targets(name));
    if (target === undefined) return this.list;
    await this.#write(changes.withRoute(this.#routes, name, { use: [target] }));
    return () => this.#route(name);
  }

  async #route(name: string): Promise<Step | undefined> {
    const route = this.#routes[name];
    if (route === undefined) return this.list;
    const again: Step = () => this.#route(name);
    const step = await choose<Step>(l10n.t('Route “{0}”', name), l10n.t('The first rule that applies decides'), [
      separator(l10n.t('Rules')),
      ...this.#ruleItems(name, route),
      { label: `$(add) ${l10n.t('Add rule…')}`, value: () => this.#addRule(name, route) },
      separator(l10n.t('Otherwise, in this order')),
      ...this.#targetItems(name, route),
      { label: `$(add) ${l10n.t('Add target…')}`, value: () => this.#addTarget(name, route) },
      separator(''),
      {
        label: `$(redo) ${l10n.t('Try the next target on…')}`,
        description: (route.also ?? []).map(triggerText).join(', '),
        value: () => this.#setTriggers(name, route),
      },
      { label: `$(beaker) ${l10n.t('Try a request…')}`, value: () => this.#try(name) },
      { label: `$(trash) ${l10n.t('Delete route')}`, value: () => this.#delete(name) },
    ]);
    return step === undefined ? this.list : async () => (await step()) ?? again;
  }

  #ruleItems(name: string, route: RouteSettings): Choice<Step>[] {
    const { when = [] } = route;
    return when.map((rule, index) => ({
      label: `${index + 1}  ${ruleText(rule)}`,
      value: async () => {
        const how = await askPlace(ruleText(rule), index);
        if (how === 'up') await this.#put(name, changes.withRules(route, changes.movedUp(when, index)));
        if (how === 'remove') await this.#put(name, changes.withRules(route, changes.without(when, index)));
        return undefined;
      },
    }));
  }

  #targetItems(name: string, route: RouteSettings): Choice<Step>[] {
    const { use } = route;
    return use.map((target, index) => ({
      label: `${index + 1}  ${target}`,
      description: pricesText(this.#services.models.find(target) ?? {}),
      value: async () => {
        const how = await askPlace(target, index, use.length > 1);
        if (how === 'up') await this.#put(name, changes.withTargets(route, changes.movedUp(use, index)));
        if (how === 'remove') await this.#put(name, changes.withTargets(route, changes.without(use, index)));
        return undefined;
      },
    }));
  }

  async #addRule(name: string, route: RouteSettings): Promise<undefined> {
    const title = l10n.t('Add Rule to “{0}”', name);
    const condition = await askCondition(title);
    if (condition === undefined) return;
    const target = await askTarget(title, this.#targets(name));
    if (target === undefined) return;
    await this.#put(name, changes.withRules(route, [...(route.when ?? []), { ...condition, use: [target] }]));
  }

  async #addTarget(name: string, route: RouteSettings): Promise<undefined> {
    const target = await askTarget(l10n.t('Add Target to “{0}”', name), this.#targets(name));
    if (target !== undefined) await this.#put(name, changes.withTargets(route, [...route.use, target]));
  }

  async #setTriggers(name: string, route: RouteSettings): Promise<undefined> {
    const triggers = await askTriggers(l10n.t('Route “{0}”', name), route.also ?? []);
    if (triggers !== undefined) await this.#put(name, changes.withTriggers(route, triggers));
  }

  async #try(name: string): Promise<undefined> {
    const title = l10n.t('Try a Request on “{0}”', name);
    const request = await askRequest(title);
    if (request === undefined) return;
    const { aliases } = this.#services.settings.gatewayAliases;
    const result = tryRoute(this.#routes, name, request, aliases);
    if (result === undefined) return;
    const rule = result.rule === undefined ? undefined : this.#routes[name]?.when?.[result.rule];
    const reason =
      rule === undefined
        ? l10n.t('No rule applies.')
        : l10n.t('Rule {0}: {1}.', (result.rule ?? 0) + 1, ruleText(rule));
    const items = result.models.map((model, index) => ({
      label: `${index === 0 ? '$(arrow-right)' : '$(redo)'} ${model}`,
      description: this.#inputCost(model, request.inputTokens),
      detail: index === 0 ? l10n.t('Would answer. {0}', reason) : l10n.t('Would be tried next.'),
      value: undefined,
    }));
    await choose(title, l10n.t('Nothing is sent'), items);
  }

  #inputCost(model: string, tokens: number): string {
    const found = this.#services.models.find(model);
    const cost = found && inputCost(tokens, found);
    return cost === undefined ? '' : l10n.t('{0} for the input', formatEstimate(cost));
  }

  async #delete(name: string): Promise<Step | undefined> {
    const users = changes.usersOf(this.#routes, name);
    if (users.length > 0) {
      void vscode.window.showErrorMessage(
        l10n.t('The route “{0}” is used by {1}. Change that route first.', name, users.join(', ')),
      );
      return undefined;
    }
    const remove = l10n.t('Delete');
    const question = l10n.t('Do you want to delete the route “{0}”? Tools that request it get an error.', name);
    if ((await vscode.window.showWarningMessage(question, { modal: true }, remove)) === remove) {
      await this.#write(changes.withoutRoute(this.#routes, name));
    }
    return this.list;
  }

  #targets(route: string): Choice<string>[] {
    const { settings, models } = this.#services;
    const { upstreams } = settings.upstreams;
    return targetChoices({ models: models.state.models, upstreams, routes: this.#routes }, route);
  }

  async #put(name: string, route: RouteSettings): Promise<void> {
    await this.#write(changes.withRoute(this.#routes, name, route));
  }

  /** Writes the routes, or shows the problem if they would have an error, such as a cycle. */
  async #write(routes: RouteList): Promise<void> {
    const { settings, known } = this.#services;
    const [problem] = readRouteList(routes, known()).problems;
    if (problem === undefined) await settings.setRoutes(routes);
    else void vscode.window.showErrorMessage(problem);
  }
}

const openInSettings: Step = async () => {
  await vscode.commands.executeCommand('workbench.action.openSettings', '@id:modelAccess.routes');
  return undefined;
};

/** Asks for the action on an item of an ordered list. */
function askPlace(title: string, index: number, canRemove = true): Promise<'up' | 'remove' | undefined> {
  const up: Choice<'up' | 'remove'> = { label: `$(arrow-up) ${l10n.t('Move up')}`, value: 'up' };
  const remove: Choice<'up' | 'remove'> = { label: `$(trash) ${l10n.t('Remove')}`, value: 'remove' };
  return choose(title, '', [...(index > 0 ? [up] : []), ...(canRemove ? [remove] : [])]);
}

function separator(label: string): Choice<Step> {
  return { label, kind: vscode.QuickPickItemKind.Separator, value: async () => undefined };
}
