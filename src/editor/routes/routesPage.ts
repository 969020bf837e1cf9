import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { errorText } from '../../display/errors.ts';
import { defined } from '../../formats/json.ts';
import type { HealthProblem } from '../../gateway/core/healthProblem.ts';
import type { RouteList } from '../../gateway/routing/routes/routeEntry.ts';
import type { KnownNames } from '../../gateway/routing/routes/routeErrors.ts';
import type {
  CheckedRoutes,
  RouteForm,
  RoutesHostMessage,
  RoutesState,
  SettingOfRoutes,
  TrialAnswer,
  TrialForm,
} from '../../pages/routes/protocol.ts';
import { readyRoutes } from '../../pages/routes/readyRoutes.ts';
import { formsOf, isWholeNumber, readForms, tokensText } from '../../pages/routes/routeForms.ts';
import type { RoutesPageMessage } from '../../pages/routes/routesMessages.ts';
import { healthTexts, routeTargets } from '../../pages/routes/routeTargets.ts';
import { tryRequest } from '../../pages/routes/routeTrial.ts';
import { numberIn } from '../../rules/typedNumber.ts';
import { readRouteShape } from '../../settings/routeList.ts';
import { inputCost } from '../../tokens/price.ts';
import type { BaseServices } from '../baseServices.ts';
import { followed, WebviewTab } from '../webviews/webviewTab.ts';
import { type TrafficTrialServices, trialFromTraffic } from './trafficTrial.ts';

/** Upstreams whose models have the prices of the catalog. */
const OF_CATALOG: ReadonlySet<string> = new Set(['hosted', 'sandbox']);

const KEYS = { routes: 'modelAccess.routes', aliases: 'modelAccess.gateway.aliases' } as const;

/** The settings that the page shows. */
const OF_STATE = ['routes', 'upstreams', 'gateway.aliases', 'gateway.editorModels'] as const;
/** Requests that end shortly after each other are followed by one question to the gateway. In milliseconds. */
const DELAY_MS = 200;
/** How often the gateway is asked while there are problems, in milliseconds: no event reports their end. */
const RENEWAL_MS = 2_000;

export interface RoutesPageServices
  extends HealthServices,
    TrafficTrialServices,
    Pick<BaseServices, 'models' | 'settings'> {
  readonly extensionUri: vscode.Uri;
  /** The upstreams and aliases whose names routes may use. */
  readonly known: () => KnownNames;
  /** The model of the current chat. */
  readonly chatModel: () => string;
  /** The team whose gateway the window is connected to. */
  readonly team: () => string | undefined;
}

/** The tab that shows, changes, and tests routes. */
export class RoutesPage {
  readonly #services: RoutesPageServices;
  readonly #tab: WebviewTab<RoutesHostMessage, RoutesPageMessage>;
  readonly #health: HealthWatch;
  #problems: readonly HealthProblem[] = [];
  /** The targets on the page. */
  #names: readonly string[] = [];

  constructor(services: RoutesPageServices) {
    const { extensionUri, log, models, settings } = services;
    this.#services = services;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.routes',
      title: l10n.t('Routes'),
      icon: 'type-hierarchy-sub',
      page: 'routes',
      isKept: false,
      log,
      reader: async () => (await import('../../pages/routes/routesMessages.ts')).readRoutesMessage,
      load: () =>
        followed(
          (message) => this.#receive(message),
          models.onDidChange(() => this.#update()),
          settings.onDidChange(OF_STATE, () => this.#update()),
        ),
    });
    this.#health = new HealthWatch(
      services,
      () => this.#tab.isVisible,
      (problems) => {
        this.#problems = problems;
        this.#postHealth();
      },
    );
  }

  async open(): Promise<void> {
    await this.#tab.reveal();
  }

  async #receive(message: RoutesPageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#update();
        return this.#health.read();
      case 'check': {
        const checked = this.#check(message.routes, message.trial);
        this.#tab.post({ type: 'checked', number: message.number, checked });
        this.#names = [...targetsOf(message.routes), ...(checked.trial?.targets ?? []).map(({ name }) => name)];
        this.#postHealth();
        return;
      }
      case 'save':
        return this.#save(message.routes);
      case 'openSettings':
        return openSettings(message.setting);
      case 'fromTraffic':
        return this.#takeFromTraffic();
    }
  }

  async #takeFromTraffic(): Promise<void> {
    const found = await trialFromTraffic(this.#services);
    if (found !== undefined) this.#tab.post({ type: 'trial', trial: found.form, isComplete: found.isComplete });
  }

  #check(forms: readonly RouteForm[], form: TrialForm): CheckedRoutes {
    const known = this.#services.known();
    const { routes, settings, problems } = readForms(forms, known);
    const json = settings.map((route, index) => JSON.stringify({ [forms[index]?.name ?? '']: route }, undefined, 2));
    if (!isWholeNumber(form.tokens)) return { problems, json, tokensProblem: tokensText() };
    // A circle would never end, and a wrong field is not what the user means.
    if (routes === undefined || problems.length > 0) return { problems, json };
    return { problems, json, trial: this.#try(routes, form, known) };
  }

  #try(routes: RouteList, form: TrialForm, known: KnownNames): TrialAnswer {
    const { models } = this.#services;
    const tokens = numberIn(form.tokens);
    const { targets, ...found } = tryRequest(
      routes,
      {
        model: form.model.trim(),
        requestClass: undefinedIfEmpty(form.requestClass),
        agentType: undefinedIfEmpty(form.agent.trim()),
        tools: form.tools.split(',').map((tool) => tool.trim()),
        tokens,
        hasImage: form.hasImage,
      },
      known,
    );
    const costOf = (model: string) => {
      const prices = models.find(model);
      return prices && inputCost(tokens, prices);
    };
    return {
      ...found,
      targets: targets.map(({ upstream, model }) =>
        defined({
          name: `${upstream}/${model}`,
          inputCost: OF_CATALOG.has(upstream) ? costOf(model) : undefined,
        }),
      ),
    };
  }

  async #save(forms: readonly RouteForm[]): Promise<void> {
    const { routes, problems } = readForms(forms, this.#services.known());
    const isSaved = routes !== undefined && problems.length === 0;
    if (isSaved) await this.#services.settings.set('routes', Object.keys(routes).length === 0 ? undefined : routes);
    this.#tab.post({ type: 'saved', isSaved });
  }

  #postHealth(): void {
    const health = healthTexts(this.#names, this.#services.known(), this.#problems);
    this.#tab.post({ type: 'health', health });
  }

  #update(): void {
    this.#tab.post({ type: 'state', state: this.#state });
  }

  get #state(): RoutesState {
    const { settings, models, team } = this.#services;
    const { aliases } = settings.gatewayAliases;
    const read = readRouteShape(settings.routes);
    return {
      routes: typeof read === 'string' ? [] : formsOf(read),
      unreadable: typeof read === 'string' ? [read] : [],
      json: typeof read === 'string' ? JSON.stringify(settings.routes, undefined, 2) : '',
      targets: routeTargets({ models: models.state.models, upstreams: settings.upstreams.upstreams, aliases }),
      ready: readyRoutes(models.state.models, this.#services.chatModel()),
      aliases,
      ...defined({ team: team() }),
    };
  }
}

function targetsOf(forms: readonly RouteForm[]): string[] {
  return forms.flatMap(({ use, when }) => [...use, ...when.flatMap((rule) => rule.use)]).map((name) => name.trim());
}

function undefinedIfEmpty(text: string): string | undefined {
  return text === '' ? undefined : text;
}

/** Opens the file that contains the setting. In a remote window, it is that of the remote machine. */
async function openSettings(setting: SettingOfRoutes): Promise<void> {
  const isRemote = vscode.env.remoteName !== undefined;
  const command = isRemote ? 'workbench.action.openRemoteSettingsFile' : 'workbench.action.openSettingsJson';
  await vscode.commands.executeCommand(command, { revealSetting: { key: KEYS[setting] } });
}

type HealthServices = Pick<BaseServices, 'gateway' | 'log' | 'worker'>;

/** Follows which upstreams and models the gateway avoids, while somebody looks. */
class HealthWatch {
  readonly #services: HealthServices;
  readonly #isWatched: () => boolean;
  readonly #onDidRead: (problems: readonly HealthProblem[]) => void;
  #timer: NodeJS.Timeout | undefined;

  /** @param isWatched returns whether somebody looks. */
  constructor(
    services: HealthServices,
    isWatched: () => boolean,
    onDidRead: (problems: readonly HealthProblem[]) => void,
  ) {
    this.#services = services;
    this.#isWatched = isWatched;
    this.#onDidRead = onDidRead;
    services.worker.onDidExchange(() => this.#schedule(DELAY_MS));
    services.gateway.onDidChange(() => this.#schedule(DELAY_MS));
  }

  /** Asks the gateway, if it runs. */
  async read(): Promise<void> {
    const problems = await this.#problems();
    this.#onDidRead(problems);
    if (problems.length > 0) this.#schedule(RENEWAL_MS);
  }

  #schedule(ms: number): void {
    if (!this.#isWatched()) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#isWatched()) void this.read();
    }, ms);
  }

  async #problems(): Promise<readonly HealthProblem[]> {
    const { worker, gateway, log } = this.#services;
    if (!gateway.isRunning) return [];
    try {
      return await worker.rpc.askTraffic({ kind: 'health' });
    } catch (error) {
      log.warn(`The health of the upstreams could not be read. ${errorText(error)}`);
      return [];
    }
  }
}
