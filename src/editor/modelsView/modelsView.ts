import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatWhen } from '../../display/time.ts';
import type { BaseServices } from '../baseServices.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import type { ModelListState } from '../models/modelList.ts';
import { MODEL_USES, type ModelUses } from '../models/modelUses.ts';
import type { Row } from '../rows/row.ts';
import { RowView } from '../rows/rowView.ts';
import type { OtherModel } from './otherModels.ts';

const VIEW = 'modelAccess.models';

export interface ModelsViewServices
  extends Pick<BaseServices, 'connection' | 'gateway' | 'log' | 'models' | 'settings' | 'worker'> {
  readonly modelUses: ModelUses;
  readonly session: ChatSession;
}

/**
 * The catalog in the side bar, also from the last known list. Without a list, the manifest's `viewsWelcome` is shown.
 */
export class ModelsView implements vscode.Disposable {
  readonly #services: ModelsViewServices;
  readonly #access: vscode.LanguageModelAccessInformation;
  readonly #view = new RowView(VIEW, () => this.#rows(), { showCollapseAll: true });
  readonly #subscriptions: vscode.Disposable[];
  #inUse: string;
  /** The last known models of other extensions, which may be slow to respond: no other row waits for them. */
  #others: readonly OtherModel[] = [];

  /** @param access Knows which models of other extensions may be used. */
  constructor(services: ModelsViewServices, access: vscode.LanguageModelAccessInformation) {
    const { models, modelUses, session, settings, worker } = services;
    this.#services = services;
    this.#access = access;
    this.#inUse = session.parameters.model;
    const refresh = () => this.#refresh();
    this.#subscriptions = [
      models.onDidChange(refresh),
      modelUses.onDidChange(refresh),
      settings.onDidChange(['upstreams'], refresh),
      // A request that was sent in another form can be the first one.
      worker.onDidExchange(({ dropped }) => dropped !== undefined && refresh()),
      session.panel.onDidPost(({ type }) => type !== 'delta' && this.#followChat()),
      settings.onDidChange(['gateway.editorModels'], () => this.#followOthers()),
      vscode.lm.onDidChangeChatModels(() => this.#followOthers()),
      access.onDidChange(() => this.#followOthers()),
      this.#view.onDidChangeVisibility(() => {
        this.#refresh();
        this.#followOthers();
      }),
    ];
    this.#refresh();
    this.#followOthers();
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#view).dispose();
  }

  /** Answers post many messages, but the chat's model rarely changes. */
  #followChat(): void {
    if (this.#services.session.parameters.model === this.#inUse) return;
    this.#inUse = this.#services.session.parameters.model;
    this.#refresh();
  }

  #followOthers(): void {
    this.#readOthers().catch((error: unknown) =>
      this.#services.log.warn('The models of other extensions could not be listed', error),
    );
  }

  /** Listing these models activates their extensions, so it is done only if they are enabled and visible. */
  async #readOthers(): Promise<void> {
    const { settings } = this.#services;
    if (settings.editorModels && !this.#view.isVisible) return;
    const { readOtherModels } = await import('./otherModels.ts');
    const found = settings.editorModels ? await readOtherModels(this.#access) : [];
    // The setting may have changed in the meantime.
    const others = settings.editorModels ? found : [];
    if (JSON.stringify(others) === JSON.stringify(this.#others)) return;
    this.#others = others;
    this.#refresh();
  }

  #refresh(): void {
    const list = this.#services.models.state;
    void vscode.commands.executeCommand('setContext', 'modelAccess.models', list.state);
    const { length } = list.models;
    const count = length === 0 ? '' : l10n.t('{0}, in $ per 1M tokens', length);
    this.#view.describe(listMessage(list, Date.now()), count);
    this.#view.refresh();
  }

  async #rows(): Promise<readonly Row[]> {
    const { models, modelUses, connection, session, settings } = this.#services;
    const { open } = connection;
    if (open === undefined || models.state.models.length === 0) return [];
    const [{ modelRows }, { readRefusals }] = await Promise.all([import('./modelRows.ts'), import('./refusals.ts')]);
    return modelRows({
      refusals: await readRefusals(this.#services),
      models: models.state.models,
      connection: open.kind,
      favorites: settings.favoriteModels,
      inUse: session.parameters.model,
      uses: MODEL_USES.map((use) => ({
        use,
        model: modelUses.modelFor(use),
        isChosen: modelUses.chosen(use) !== undefined,
      })),
      upstreams: settings.upstreams.upstreams,
      others: this.#others,
    });
  }
}

/**
 * The message above the models while they are from the last known list: when it was read, and why it could not be read
 * again. Empty for a current list.
 * @param now In milliseconds since the epoch.
 */
export function listMessage({ state, readAt, problem = '' }: ModelListState, now: number): string {
  if (state !== 'stale' || readAt === undefined) return '';
  return `${l10n.t('The last known list, read {0}.', formatWhen(readAt, now))} ${problem}`.trim();
}
