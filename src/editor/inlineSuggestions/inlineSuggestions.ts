import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { dayOf } from '../../display/day.ts';
import { asSample, formatEstimate, formatSum } from '../../display/money.ts';
import { hourCost } from '../../suggestions/suggestionModel.ts';
import type { CommandTable } from '../commands/commands.ts';
import { SuggestionSettings } from '../settings/suggestionSettings.ts';
import { NextEdit } from './nextEdit.ts';
import { SuggestionFigures } from './suggestionFigures.ts';
import { chooseModel, type MenuParts, showMenu } from './suggestionMenu.ts';
import { SuggestionProvider } from './suggestionProvider.ts';
import { SuggestionSection } from './suggestionSection.ts';
import type { SuggestionServices } from './suggestionServices.ts';
import { SuggestionState } from './suggestionState.ts';

const EXPLAINED_KEY = 'modelAccess.inlineSuggestions.explained';
const CAP_KEY = 'modelAccess.inlineSuggestions.capTold';
/** A context key: while it is set, Escape tells the extension that a suggestion is not wanted. */
const IS_ON = 'modelAccess.suggestsInline';

/** Suggestions at the cursor while a person types. Loaded when they are first switched on, or one of their commands runs. */
export class InlineSuggestions implements vscode.Disposable {
  readonly #services: SuggestionServices;
  readonly #settings = new SuggestionSettings();
  readonly #figures: SuggestionFigures;
  readonly #state: SuggestionState;
  readonly #subscriptions: vscode.Disposable[];
  /** While they are on. */
  #running: { readonly provider: SuggestionProvider; readonly disposables: vscode.Disposable } | undefined;
  readonly #shownChanged = new vscode.EventEmitter<void>();
  /** In the status bar, from the first time that they are on. */
  #section: vscode.Disposable | undefined;
  #nextEdit: NextEdit | undefined;

  constructor(services: SuggestionServices) {
    this.#services = services;
    const { settings, models } = services;
    this.#figures = new SuggestionFigures(services);
    this.#state = new SuggestionState(settings, this.#settings, this.#figures, () => this.#isConnected);
    this.#subscriptions = [
      this.#figures,
      this.#state,
      settings.onDidChange(['inlineSuggestions', 'upstreams'], () => this.#update()),
      models.onDidChange(() => this.#shownChanged.fire()),
      // The sandbox and the service have sums of their own.
      services.connection.onDidChange(() => {
        if (this.#running !== undefined) void this.#figures.refresh();
        this.#shownChanged.fire();
      }),
      this.#state.onDidChange(() => {
        this.#shownChanged.fire();
        void this.#tellCap();
      }),
      this.#shownChanged,
    ];
    this.#update();
  }

  get figures(): SuggestionFigures {
    return this.#figures;
  }

  get state(): SuggestionState {
    return this.#state;
  }

  /** What the commands of the manifest do. */
  readonly commands: CommandTable = {
    'modelAccess.toggleInlineSuggestions': {
      run: () => this.#settings.setEnabled(!this.#services.settings.suggestsInline),
    },
    'modelAccess.snoozeInlineSuggestions': { run: () => this.#state.snooze() },
    'modelAccess.showInlineSuggestionsMenu': { run: () => showMenu(this.#menuParts) },
    'modelAccess.chooseInlineSuggestionModel': { run: () => chooseModel(this.#menuParts) },
    'modelAccess.dismissInlineSuggestion': { run: () => this.#dismiss() },
    'modelAccess.acceptNextEdit': { run: () => this.#nextEdit?.accept() },
    'modelAccess.dismissNextEdit': { run: () => this.#nextEdit?.dismiss() },
  };

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
    this.#running?.disposables.dispose();
    this.#section?.dispose();
  }

  get #menuParts(): MenuParts {
    return { services: this.#services, settings: this.#settings, state: this.#state, model: () => this.#model };
  }

  /** An upstream that fills in text needs no service key. */
  get #isConnected(): boolean {
    return this.#services.connection.open !== undefined || this.#model?.kind === 'fillIn';
  }

  get #model() {
    return this.#running?.provider.model;
  }

  #update(): void {
    const isOn = this.#services.settings.suggestsInline;
    if (isOn && this.#running === undefined) this.#start();
    if (!isOn) this.#stop();
    this.#shownChanged.fire();
    void vscode.commands.executeCommand('setContext', IS_ON, isOn);
  }

  #start(): void {
    const parts = { services: this.#services, settings: this.#settings, figures: this.#figures, state: this.#state };
    const provider = new SuggestionProvider(parts);
    this.#nextEdit = new NextEdit(this.#settings, () => this.#services.settings.suggestsInline);
    this.#running = { provider, disposables: vscode.Disposable.from(provider, this.#nextEdit) };
    this.#section ??= this.#services.statusBar.add(
      new SuggestionSection({ ...parts, model: () => this.#model }, this.#shownChanged.event),
    );
    void this.#figures.refresh();
    void this.#explainOnce();
  }

  #stop(): void {
    this.#running?.disposables.dispose();
    this.#running = undefined;
    this.#nextEdit = undefined;
  }

  async #dismiss(): Promise<void> {
    this.#running?.provider.dismiss();
    await vscode.commands.executeCommand('editor.action.inlineSuggest.hide');
  }

  /** Says once what an hour of typing costs, as soon as the prices are known. */
  async #explainOnce(): Promise<void> {
    const { memory, connection } = this.#services;
    if (memory.get(EXPLAINED_KEY) === true) return;
    const model = await this.#pricedModel();
    if (model === undefined || !this.#services.settings.suggestsInline || memory.get(EXPLAINED_KEY) === true) return;
    await memory.update(EXPLAINED_KEY, true);
    const cost = hourCost(model, this.#settings.contextTokens);
    const amount = cost === undefined ? undefined : formatEstimate(cost);
    const shown = amount !== undefined && connection.current.kind === 'sandbox' ? asSample(amount) : amount;
    const message =
      shown === undefined
        ? l10n.t('Inline suggestions are on. The price of {0} is not known.', model.id)
        : l10n.t('Inline suggestions are on. An hour of typing costs {0} with {1}.', shown, model.id);
    const [choose, off] = [l10n.t('Choose Model…'), l10n.t('Turn Off')];
    const choice = await vscode.window.showInformationMessage(message, choose, off);
    if (choice === choose) await chooseModel(this.#menuParts);
    if (choice === off) await this.#settings.setEnabled(false);
  }

  /** Waits for the catalog. Undefined for an upstream that fills in text. */
  async #pricedModel() {
    const { models } = this.#services;
    if (models.state.models.length === 0) {
      await new Promise<void>((resolve) => {
        const subscription = models.onDidChange(() => {
          if (models.state.models.length === 0) return;
          subscription.dispose();
          resolve();
        });
        this.#subscriptions.push(subscription);
      });
    }
    const model = this.#model;
    return model?.kind === 'chat' ? model.model : undefined;
  }

  /** Says once a day that the cap is reached. */
  async #tellCap(): Promise<void> {
    const { memory } = this.#services;
    const today = dayOf(Date.now());
    const { dailyCap } = this.#settings;
    const told = `${today} ${dailyCap}`;
    if (this.#state.status !== 'capped' || memory.get(CAP_KEY) === told) return;
    await memory.update(CAP_KEY, told);
    const raised = dailyCap * 2;
    const [raise, open] = [l10n.t('Raise to {0}', formatSum(raised)), l10n.t('Open Usage')];
    const choice = await vscode.window.showWarningMessage(
      l10n.t('Inline suggestions have reached their cap of {0} a day and are off until tomorrow.', formatSum(dailyCap)),
      raise,
      open,
    );
    if (choice === raise) await this.#settings.setDailyCap(raised);
    if (choice === open) await vscode.commands.executeCommand('modelAccess.openUsage');
  }
}
