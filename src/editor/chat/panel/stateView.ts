import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatChange } from '../../../chat/chatViewer.ts';
import { ThreadView } from '../../../chat/panel/turns.ts';
import { familyTitle } from '../../../display/models.ts';
import { defined } from '../../../formats/json.ts';
import type {
  BalanceView,
  CatalogView,
  ChatHostMessage,
  ChatState,
  ModelView,
  StateChange,
} from '../../../pages/chat/protocol.ts';
import { balanceLevel } from '../../../service/balanceLevel.ts';
import type { Model } from '../../../service/modelCatalog.ts';
import { cachePrices } from '../../../tokens/price.ts';
import type { BalanceState } from '../../balance/balanceMonitor.ts';
import type { BaseServices } from '../../baseServices.ts';
import type { ModelList } from '../../models/modelList.ts';
import type { Chat } from '../chat.ts';
import type { Chats } from '../chats.ts';
import type { Customizations } from '../customizations/customizations.ts';

export interface StateViewServices extends Pick<BaseServices, 'balance' | 'connection' | 'models' | 'settings'> {
  readonly chats: Pick<Chats, 'running' | 'onDidChangeRunning'>;
  readonly customizations: Customizations;
}

/** What the panel shows in addition to the state of the services. */
export interface Shown {
  readonly chat: Chat;
  post(message: ChatHostMessage): void;
}

/**
 * Keeps the state of a panel or tab up to date: the whole state when another chat is shown, and its changes after that.
 */
export class StateView implements vscode.Disposable {
  readonly #services: StateViewServices;
  readonly #shown: Shown;
  readonly #thread: ThreadView;
  readonly #subscriptions: vscode.Disposable[];

  constructor(services: StateViewServices, shown: Shown) {
    this.#services = services;
    this.#shown = shown;
    this.#thread = new ThreadView((message) => shown.post(message));
    this.#subscriptions = this.#followServices();
  }

  /** The whole state, for a panel that has none yet. */
  get state(): ChatState {
    const { connection, models, chats } = this.#services;
    const { conversation, shownTurns, composition, queue, parameters, runs, turns, estimates } = this.#shown.chat;
    const { id, title, titleNote, spent } = conversation;
    return {
      connection: connection.current.kind,
      conversationId: id,
      title,
      titleNote,
      turns: shownTurns,
      isAsking: turns.isAsking,
      queued: queue.text,
      running: chats.running,
      catalog: toCatalogView(models),
      ...parameters.view,
      canAct: runs.canAct,
      run: runs.view,
      attachments: composition.attachmentViews,
      estimate: estimates.draft.current,
      editEstimate: estimates.edit.current,
      balance: this.#balance,
      spent,
    };
  }

  /** Called when another chat is shown. */
  show(): void {
    const { state } = this;
    this.#thread.reset(state.turns);
    this.#shown.post({ type: 'state', state });
  }

  /** Called when a part of the chat's state has changed. The contents of turns have messages of their own. */
  update(change: ChatChange): void {
    const { chat } = this.#shown;
    if (change === 'conversation') this.#thread.update(chat.shownTurns);
    this.#change(changed(chat)[change]());
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  get #balance(): BalanceView {
    const { balance, settings } = this.#services;
    return toBalanceView(balance.state, settings.balanceWarnBelow);
  }

  #followServices(): vscode.Disposable[] {
    const { connection, models, balance, settings, customizations, chats } = this.#services;
    const canAct = () => this.#change({ canAct: this.#shown.chat.runs.canAct });
    const estimate = () => {
      this.#shown.chat.estimates.update();
      this.#shown.chat.estimates.update('edit');
    };
    return [
      connection.onDidChange(({ kind }) => this.#change({ connection: kind })),
      chats.onDidChangeRunning((running) => this.#change({ running })),
      models.onDidChange(() => {
        this.#change({ catalog: toCatalogView(models), model: this.#shown.chat.parameters.model });
        estimate();
      }),
      balance.onDidChange(() => {
        this.#change({ balance: this.#balance });
        estimate();
      }),
      customizations.onDidChange(() => {
        this.update('parameters');
        estimate();
      }),
      settings.onDidChange(['chat', 'agent.reviewBeforeWriting'], () => this.update('parameters')),
      settings.onDidChange(['chat', 'agent'], estimate),
      vscode.workspace.onDidGrantWorkspaceTrust(canAct),
      vscode.workspace.onDidChangeWorkspaceFolders(canAct),
      settings.onDidChange(['balance.warnBelow'], () => this.#change({ balance: this.#balance })),
    ];
  }

  #change(change: StateChange): void {
    const cleared = (Object.keys(change) as (keyof StateChange)[]).filter((name) => change[name] === undefined);
    this.#shown.post({ type: 'change', change, ...(cleared.length > 0 && { cleared }) });
  }
}

/** What the panel gets when a part of the chat has changed. */
function changed({ conversation, turns, composition, queue, parameters, runs, estimates }: Chat) {
  return {
    conversation: () => {
      const { title, titleNote, spent } = conversation;
      // The last turn may be of another run now, or of none.
      return { title, titleNote, spent, run: runs.view };
    },
    asking: () => ({ isAsking: turns.isAsking }),
    queued: () => ({ queued: queue.text }),
    attachments: () => ({ attachments: composition.attachmentViews }),
    parameters: () => parameters.view,
    run: () => ({ run: runs.view }),
    estimate: () => ({ estimate: estimates.draft.current }),
    editEstimate: () => ({ editEstimate: estimates.edit.current }),
  } satisfies Readonly<Record<ChatChange, () => StateChange>>;
}

function toCatalogView({ all, state: { state, readAt, problem } }: ModelList): CatalogView {
  return {
    models: all.map(toModelView),
    state,
    ...defined({ readAt, problem }),
  };
}

function toModelView(model: Model): ModelView {
  const { id, contextWindow, inputPrice, outputPrice, tools, images, reasoning, targets } = model;
  return {
    id,
    family: targets === undefined ? familyTitle(model) : l10n.t('Routes'),
    ...(targets !== undefined && { targets }),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(inputPrice !== undefined && { inputPrice, cachePrices: cachePrices(model) }),
    ...defined({ outputPrice, tools, images, reasoning }),
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
