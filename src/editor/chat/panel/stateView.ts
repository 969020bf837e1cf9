import * as vscode from 'vscode';
import type { ChatComposition } from '../../../chat/composition.ts';
import type { LiveConversation } from '../../../chat/conversation/liveConversation.ts';
import { ThreadView } from '../../../chat/panel/threadView.ts';
import { familyTitle } from '../../../display/models.ts';
import type {
  BalanceView,
  CatalogView,
  ChatHostMessage,
  ChatState,
  ChatTurn,
  ModelView,
  StateChange,
} from '../../../pages/chat/protocol.ts';
import { balanceLevel } from '../../../service/balanceLevel.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import { cachePrices } from '../../../tokens/price.ts';
import type { BalanceMonitor, BalanceState } from '../../balance/balanceMonitor.ts';
import type { ConnectionManager } from '../../connection/connectionManager.ts';
import type { ModelList, ModelListState } from '../../models/modelList.ts';
import type { Settings } from '../../settings/settings.ts';
import type { Customizations } from '../customizations/customizations.ts';
import type { Estimator } from '../estimator.ts';
import type { ConversationParameters } from '../parameters/conversationParameters.ts';
import type { RunFollower } from '../runFollower.ts';
import type { TurnActions } from '../turnActions.ts';

export interface StateViewServices {
  readonly connection: ConnectionManager;
  readonly models: ModelList;
  readonly balance: BalanceMonitor;
  readonly estimator: Estimator;
  readonly editEstimator: Estimator;
  readonly settings: Settings;
  readonly customizations: Customizations;
}

/** What the panel shows in addition to the state of the services. */
export interface Shown {
  readonly conversation: LiveConversation;
  /** The turns with the current answers in progress. */
  readonly shownTurns: readonly ChatTurn[];
  readonly composition: ChatComposition;
  readonly parameters: ConversationParameters;
  readonly runs: RunFollower;
  readonly turns: Pick<TurnActions, 'isAsking'>;
}

/**
 * Keeps the panel's state up to date: the whole state when another conversation is shown, and its changes after that.
 */
export class StateView implements vscode.Disposable {
  readonly #services: StateViewServices;
  readonly #shown: Shown;
  readonly #post: (message: ChatHostMessage) => void;
  readonly #thread: ThreadView;
  readonly #subscriptions: vscode.Disposable[];

  constructor(services: StateViewServices, shown: Shown, post: (message: ChatHostMessage) => void) {
    this.#services = services;
    this.#shown = shown;
    this.#post = post;
    this.#thread = new ThreadView(post);
    this.#subscriptions = this.#followServices();
  }

  /** The whole state, for a panel that has none yet. */
  get state(): ChatState {
    const { connection, models, estimator, editEstimator, settings } = this.#services;
    const { conversation, shownTurns, composition, parameters, runs, turns } = this.#shown;
    const { id, title, titleNote, spent } = conversation;
    return {
      connection: connection.current.kind,
      conversationId: id,
      title,
      titleNote,
      turns: shownTurns,
      isAsking: turns.isAsking,
      catalog: toCatalogView(models.state),
      ...parameters.view,
      canAct: runs.canAct,
      run: runs.view,
      attachments: composition.attachmentViews,
      estimate: estimator.current,
      editEstimate: editEstimator.current,
      balance: this.#balance,
      hasDashboard: settings.dashboardAddress !== '',
      spent,
    };
  }

  /** Called when another conversation is shown. */
  show(): void {
    const { state } = this;
    this.#thread.reset(state.turns);
    this.#post({ type: 'state', state });
  }

  /**
   * Called when the title, the cost, or the order of the turns has changed. The contents of turns have messages of
   * their own.
   */
  updateConversation(): void {
    const { conversation, shownTurns, runs } = this.#shown;
    const { title, titleNote, spent } = conversation;
    this.#thread.update(shownTurns);
    // The last turn may be of another run now, or of none.
    this.#change({ title, titleNote, spent, run: runs.view });
  }

  /** Called when a question is on its way, or no longer is. */
  updateAsking(): void {
    this.#change({ isAsking: this.#shown.turns.isAsking });
  }

  updateParameters(): void {
    this.#change(this.#shown.parameters.view);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #balance(): BalanceView {
    const { balance, settings } = this.#services;
    return toBalanceView(balance.state, settings.balanceWarnBelow);
  }

  #followServices(): vscode.Disposable[] {
    const { connection, models, balance, estimator, editEstimator, settings, customizations } = this.#services;
    return [
      connection.onDidChange(({ kind }) => this.#change({ connection: kind })),
      estimator.onDidChange((estimate) => this.#change({ estimate })),
      editEstimator.onDidChange((editEstimate) => this.#change({ editEstimate })),
      models.onDidChange(() =>
        this.#change({ catalog: toCatalogView(models.state), model: this.#shown.parameters.model }),
      ),
      balance.onDidChange(() => this.#change({ balance: this.#balance })),
      settings.onDidChange(['chat', 'agent.reviewBeforeWriting'], () => this.updateParameters()),
      this.#shown.runs.onDidChange((run) => this.#change({ run })),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#change({ canAct: this.#shown.runs.canAct })),
      vscode.workspace.onDidChangeWorkspaceFolders(() => this.#change({ canAct: this.#shown.runs.canAct })),
      customizations.onDidChange(() => this.updateParameters()),
      settings.onDidChange(['dashboardAddress', 'balance.warnBelow'], () =>
        this.#change({ hasDashboard: settings.dashboardAddress !== '', balance: this.#balance }),
      ),
    ];
  }

  #change(change: StateChange): void {
    const cleared = (Object.keys(change) as (keyof StateChange)[]).filter((name) => change[name] === undefined);
    this.#post({ type: 'change', change, ...(cleared.length > 0 && { cleared }) });
  }
}

function toCatalogView({ models, state, readAt, problem }: ModelListState): CatalogView {
  return {
    models: models.map(toModelView),
    state,
    ...(readAt !== undefined && { readAt }),
    ...(problem !== undefined && { problem }),
  };
}

function toModelView(model: Model): ModelView {
  const { id, contextWindow, inputPrice, outputPrice, tools, images, reasoning } = model;
  return {
    id,
    family: familyTitle(model),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(inputPrice !== undefined && { inputPrice, cachePrices: cachePrices(model) }),
    ...(outputPrice !== undefined && { outputPrice }),
    ...(tools !== undefined && { tools }),
    ...(images !== undefined && { images }),
    ...(reasoning !== undefined && { reasoning }),
  };
}

/** `warnBelow` is in US dollars. */
function toBalanceView({ balance, problem }: BalanceState, warnBelow: number): BalanceView {
  const remaining = balance?.remaining;
  const level = balanceLevel(balance, warnBelow);
  const usual = problem === undefined ? 'current' : 'stale';
  return {
    state: level === 'normal' ? usual : level,
    ...(remaining !== undefined && { remaining }),
    ...(balance?.team !== undefined && { isBudget: true }),
  };
}
