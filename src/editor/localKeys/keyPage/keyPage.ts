import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../../formats/json.ts';
import type { IssuedKey } from '../../../gateway/keys/issuedKey.ts';
import { formOfKey, hiddenBudgetTexts, termsOfChange } from '../../../pages/localKey/changedKey.ts';
import type { KeyPageMessage } from '../../../pages/localKey/keyMessages.ts';
import type { KeyForm, KeyPageHostMessage, KeyPageState } from '../../../pages/localKey/protocol.ts';
import { type KeyOfForm, readForm } from '../../../pages/localKey/readForm.ts';
import type { BaseServices } from '../../baseServices.ts';
import { Claim } from '../../claim.ts';
import { copyText } from '../../doneMessage.ts';
import { expectedAddress } from '../../gateway/expectedAddress.ts';
import { followed, WebviewTab } from '../../webviews/webviewTab.ts';
import { WorkQueue } from '../../workQueue.ts';

export interface KeyPageServices extends Pick<BaseServices, 'gateway' | 'localKeys' | 'log' | 'models' | 'settings'> {
  readonly extensionUri: vscode.Uri;
}

/** A key to change, and the field to begin with. */
export interface EditedKey {
  readonly key: IssuedKey;
  readonly focus: 'name' | 'daily';
}

/** A key as the page shows it: as it was filled in, created, or saved. */
interface ShownKey {
  key: IssuedKey;
}

/** The tab that creates a local key, or one that changes an existing one. */
export class KeyPage {
  readonly #services: KeyPageServices;
  readonly #purpose: 'create' | 'change';
  readonly #tab: WebviewTab<KeyPageHostMessage, KeyPageMessage>;
  #shown: ShownKey | undefined;
  #focus: EditedKey['focus'] = 'name';
  /** The key that is being created: a double click creates one. */
  readonly #creating = new Claim();
  /** A change begins with what the one before it has saved. */
  readonly #changes = new WorkQueue();

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
      load: () => {
        const update = () => this.#update();
        return followed((message) => this.#receive(message), models.onDidChange(update), gateway.onDidChange(update));
      },
    });
  }

  /** @param edited undefined for the page that creates a key. */
  async open(edited?: EditedKey): Promise<void> {
    const isOther = edited !== undefined && (edited.key.id !== this.#shown?.key.id || !this.#tab.isOpen);
    if (isOther) {
      this.#shown = { key: edited.key };
      this.#focus = edited.focus;
      this.#tab.title = l10n.t('Local key “{0}”', edited.key.name);
    }
    const wasOpen = this.#tab.isOpen;
    await this.#tab.reveal();
    if (isOther && wasOpen) this.#fillIn();
  }

  async #receive(message: KeyPageMessage): Promise<unknown> {
    switch (message.type) {
      case 'ready':
        this.#update();
        return this.#fillIn();
      case 'check':
        return this.#check(message.form, message.id);
      case 'create':
        return this.#creating.hold(() => this.#create(message.form));
      case 'change': {
        const shown = this.#shown?.key.id === message.id ? this.#shown : undefined;
        return this.#changes.run(() => this.#change(message.form, message.id, shown));
      }
      case 'copy':
        return copyText(message.text);
      case 'copyKey':
        return vscode.commands.executeCommand('modelAccess.copyGatewayKey', { subject: message.id });
      case 'manage':
        return vscode.commands.executeCommand('modelAccess.manageLocalKeys');
      case 'close':
        this.#tab.close();
    }
  }

  async #create(form: KeyForm): Promise<void> {
    const found = await this.#check(form);
    if (found === undefined) return;
    const key = await this.#services.localKeys.create(found.name, found.terms);
    this.#shown = { key };
    const { id, name, secret } = key;
    this.#tab.post({ type: 'created', id, name, secret, form });
  }

  async #change(form: KeyForm, id: string, shown: ShownKey | undefined): Promise<void> {
    const found = await this.#check(form, id);
    if (found === undefined) return;
    const key = shown?.key;
    const terms = key === undefined ? found.terms : termsOfChange(found.terms, form, key);
    const changed = await this.#services.localKeys.change(id, found.name, terms, key);
    if (shown === undefined) return;
    const { secret, createdAt, rotatedAt } = changed;
    // Without what another window has changed, which the page does not show: the next change would take it back.
    shown.key = { id, secret, createdAt, ...defined({ rotatedAt }), name: found.name, ...terms };
    // The page may have been opened again meanwhile.
    if (shown === this.#shown) this.#tab.post({ type: 'changed', name: changed.name, form });
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
    const key = this.#purpose === 'change' ? this.#shown?.key : undefined;
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
