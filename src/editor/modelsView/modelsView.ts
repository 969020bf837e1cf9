import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatWhen } from '../../display/time.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import type { ConnectionManager } from '../connection/connectionManager.ts';
import type { ModelList } from '../models/modelList.ts';
import { MODEL_USES, type ModelUses } from '../models/modelUses.ts';
import type { Row } from '../rows/row.ts';
import { RowTree } from '../rows/rowTree.ts';
import type { Settings } from '../settings/settings.ts';

const VIEW = 'modelAccess.models';

export interface ModelsViewServices {
  readonly models: ModelList;
  readonly modelUses: ModelUses;
  readonly connection: ConnectionManager;
  readonly session: ChatSession;
  readonly settings: Settings;
}

/** The catalog in the side bar, also from the last known list. While there is none `viewsWelcome` says what to do. */
export class ModelsView implements vscode.Disposable {
  readonly #services: ModelsViewServices;
  readonly #tree = new RowTree(() => this.#rows());
  readonly #view: vscode.TreeView<Row>;
  readonly #subscriptions: vscode.Disposable[];
  #inUse: string;

  constructor(services: ModelsViewServices) {
    const { models, modelUses, session, settings } = services;
    this.#services = services;
    this.#inUse = session.model;
    this.#view = vscode.window.createTreeView(VIEW, { treeDataProvider: this.#tree, showCollapseAll: true });
    const refresh = () => this.#refresh();
    this.#subscriptions = [
      models.onDidChange(refresh),
      modelUses.onDidChange(refresh),
      settings.onDidChange(['upstreams'], refresh),
      session.onDidPost(() => this.#followChat()),
      this.#view.onDidChangeVisibility(refresh),
    ];
    this.#refresh();
  }

  /** The rows that the editor would be given now. */
  rows(): Promise<Row[]> {
    return this.#tree.getChildren();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#view, this.#tree).dispose();
  }

  /** Answers post many messages; the model of the chat changes seldom. */
  #followChat(): void {
    if (this.#services.session.model === this.#inUse) return;
    this.#inUse = this.#services.session.model;
    this.#refresh();
  }

  #refresh(): void {
    const { state, models, readAt, problem = '' } = this.#services.models.state;
    void vscode.commands.executeCommand('setContext', 'modelAccess.models', state);
    const of = readAt === undefined ? '' : formatWhen(readAt, Date.now());
    this.#view.message = state === 'stale' ? `${l10n.t('The last known list, of {0}.', of)} ${problem}`.trim() : '';
    this.#view.description = models.length === 0 ? '' : String(models.length);
    if (this.#view.visible) this.#tree.refresh();
  }

  async #rows(): Promise<readonly Row[]> {
    const { models, modelUses, connection, session, settings } = this.#services;
    const { open } = connection;
    if (open === undefined || models.state.models.length === 0) return [];
    const { modelRows } = await import('./modelRows.ts');
    return modelRows({
      models: models.state.models,
      connection: open.kind,
      favourites: settings.favouriteModels,
      inUse: session.model,
      uses: MODEL_USES.map((use) => ({
        use,
        model: modelUses.modelFor(use),
        isChosen: modelUses.chosen(use) !== undefined,
      })),
      upstreams: settings.upstreams.upstreams,
    });
  }
}
