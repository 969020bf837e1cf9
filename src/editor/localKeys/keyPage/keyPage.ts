import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../../formats/json.ts';
import type { IssuedKey } from '../../../gateway/keys/issuedKey.ts';
import { formOfKey, hiddenBudgetTexts, termsOfChange } from '../../../pages/localKey/changedKey.ts';
import type { KeyPageMessage } from '../../../pages/localKey/keyMessages.ts';
import type { KeyForm, KeyPageHostMessage, KeyPageState } from '../../../pages/localKey/protocol.ts';
import { type KeyOfForm, readForm } from '../../../pages/localKey/readForm.ts';
import { Claim } from '../../claim.ts';
import { expectedAddress } from '../../gateway/expectedAddress.ts';
import type { GatewayController } from '../../gateway/gatewayController.ts';
import type { LocalKeyStore } from '../../gateway/localKeyStore.ts';
import type { Log } from '../../log/log.ts';
import type { ModelList } from '../../models/modelList.ts';
import type { Settings } from '../../settings/settings.ts';
import { WebviewTab } from '../../webviews/webviewTab.ts';

export interface KeyPageServices {
  readonly extensionUri: vscode.Uri;
  readonly localKeys: LocalKeyStore;
  readonly models: ModelList;
  readonly gateway: GatewayController;
  readonly settings: Settings;
  readonly log: Log;
}

/** A key to change, and the field to begin with. */
export interface EditedKey {
  readonly key: IssuedKey;
  readonly focus: 'name' | 'daily';
}

/** The tab that creates a local key, or one that changes an existing one. */
export class KeyPage {
  readonly #services: KeyPageServices;
  readonly #purpose: 'create' | 'change';
  readonly #tab: WebviewTab<KeyPageHostMessage, KeyPageMessage>;
  /** The key as it was when the page was filled in, created it, or saved its changes. */
  #key: IssuedKey | undefined;
  #focus: EditedKey['focus'] = 'name';
  /** The key that is being created: a double click creates one. */
  readonly #creating = new Claim();

  constructor(services: KeyPageServices, purpose: 'create' | 'change') {
    const { extensionUri, log, models, gateway } = services;
    this.#services = services;
    this.#purpose = purpose;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: `modelAccess.${purpose}LocalKey`,
      title: purpose === 'create' ? l10n.t('Create Local Key') : l10n.t('Change Local Key'),
      icon: 'key',
      page: 'localKey',
      isKept: false,
      log,
      reader: async () => (await import('../../../pages/localKey/keyMessages.ts')).readKeyMessage,
      receive: (message) => this.#receive(message),
    });
    models.onDidChange(() => this.#update());
    gateway.onDidChange(() => this.#update());
  }

  /** @param edited undefined for the page that creates a key. */
  async open(edited?: EditedKey): Promise<void> {
    const isOther = edited !== undefined && (edited.key.id !== this.#key?.id || !this.#tab.isOpen);
    if (isOther) {
      this.#key = edited.key;
      this.#focus = edited.focus;
      this.#tab.title = l10n.t('Local key “{0}”', edited.key.name);
    }
    const wasOpen = this.#tab.isOpen;
    await this.#tab.open();
    if (isOther && wasOpen) this.#fillIn();
  }

  async #receive(message: KeyPageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#update();
        return this.#fillIn();
      case 'check':
        await this.#check(message.form, message.id);
        return;
      case 'create':
        return this.#creating.hold(() => this.#create(message.form));
      case 'change':
        return this.#change(message.form, message.id);
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        vscode.window.setStatusBarMessage(l10n.t('Copied'), 3000);
        return;
      case 'copyKey':
        await vscode.commands.executeCommand('modelAccess.copyGatewayKey', { subject: message.id });
        return;
      case 'manage':
        await vscode.commands.executeCommand('modelAccess.manageLocalKeys');
        return;
      case 'close':
        this.#tab.close();
    }
  }

  async #create(form: KeyForm): Promise<void> {
    const found = await this.#check(form);
    if (found === undefined) return;
    this.#key = await this.#services.localKeys.create(found.name, found.terms);
    const { id, name, secret } = this.#key;
    this.#tab.post({ type: 'created', id, name, secret });
  }

  async #change(form: KeyForm, id: string): Promise<void> {
    const found = await this.#check(form, id);
    if (found === undefined) return;
    const key = this.#key?.id === id ? this.#key : undefined;
    const terms = key === undefined ? found.terms : termsOfChange(found.terms, form, key);
    this.#show(await this.#services.localKeys.change(id, found.name, terms, key));
  }

  /** The page may have been opened for another key while the change was stored. */
  #show(changed: IssuedKey): void {
    if (this.#key?.id !== changed.id) return;
    this.#key = changed;
    this.#tab.post({ type: 'changed', name: changed.name });
  }

  /**
   * Sends the problems of the form to the page.
   * @returns undefined if there are any.
   */
  async #check(form: KeyForm, id?: string): Promise<KeyOfForm | undefined> {
    const { keys } = await this.#services.localKeys.read();
    const others = keys.filter((key) => key.id !== id).map(({ name }) => name);
    const found = readForm(form, others, Date.now());
    this.#tab.post({ type: 'problems', problems: found.problems });
    return Object.keys(found.problems).length > 0 ? undefined : found;
  }

  /** A page that creates a key starts empty, also after a reload. */
  #fillIn(): void {
    const key = this.#purpose === 'change' ? this.#key : undefined;
    if (key === undefined) return;
    const form = formOfKey(
      key,
      this.#services.models.state.models.map(({ id }) => id),
    );
    const hiddenBudgets = hiddenBudgetTexts(key);
    this.#tab.post({ type: 'edit', id: key.id, form, hiddenBudgets, focus: this.#focus });
  }

  #update(): void {
    this.#tab.post({ type: 'state', state: this.#state });
  }

  get #state(): KeyPageState {
    const { models, gateway, settings } = this.#services;
    return {
      models: models.state.models.map(({ id, contextWindow, inputPrice, outputPrice }) =>
        defined({ id, contextWindow, inputPrice, outputPrice }),
      ),
      address: expectedAddress(gateway, settings),
    };
  }
}
