import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { defined } from '../../../formats/defined.ts';
import { expectedAddress } from '../../gateway/expectedAddress.ts';
import type { GatewayController } from '../../gateway/gatewayController.ts';
import type { LocalKeyStore } from '../../gateway/localKeyStore.ts';
import type { Log } from '../../log/log.ts';
import type { ModelList } from '../../models/modelList.ts';
import type { Settings } from '../../settings/settings.ts';
import { WebviewTab } from '../../webviews/webviewTab.ts';
import type { KeyForm, KeyPageHostMessage, KeyPageMessage, KeyPageState } from './protocol.ts';
import { readForm } from './readForm.ts';

export interface KeyPageServices {
  readonly extensionUri: vscode.Uri;
  readonly localKeys: LocalKeyStore;
  readonly models: ModelList;
  readonly gateway: GatewayController;
  readonly settings: Settings;
  readonly log: Log;
}

/** The tab that creates a local key. */
export class KeyPage {
  readonly #services: KeyPageServices;
  readonly #tab: WebviewTab<KeyPageHostMessage, KeyPageMessage>;

  constructor(services: KeyPageServices) {
    const { extensionUri, log, models, gateway } = services;
    this.#services = services;
    this.#tab = new WebviewTab({
      extensionUri,
      viewType: 'modelAccess.createLocalKey',
      title: l10n.t('Create Local Key'),
      icon: 'key',
      page: 'localKey',
      isKept: false,
      log,
      receive: (message) => this.#receive(message),
    });
    models.onDidChange(() => this.#update());
    gateway.onDidChange(() => this.#update());
  }

  async open(): Promise<void> {
    await this.#tab.open();
  }

  async #receive(message: KeyPageMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#update();
      case 'check':
        return this.#check(message.form);
      case 'create':
        return this.#create(message.form);
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        vscode.window.setStatusBarMessage(l10n.t('Copied'), 3000);
        return;
      case 'manage':
        await vscode.commands.executeCommand('modelAccess.manageLocalKeys');
        return;
      case 'close':
        this.#tab.close();
    }
  }

  async #check(form: KeyForm): Promise<void> {
    const { problems } = readForm(form, await this.#names(), Date.now());
    this.#tab.post({ type: 'problems', problems });
  }

  async #create(form: KeyForm): Promise<void> {
    const { name, terms, problems } = readForm(form, await this.#names(), Date.now());
    this.#tab.post({ type: 'problems', problems });
    if (Object.keys(problems).length > 0) return;
    const { secret } = await this.#services.localKeys.create(name, terms);
    this.#tab.post({ type: 'created', name, secret });
  }

  async #names(): Promise<string[]> {
    const { keys } = await this.#services.localKeys.read();
    return keys.map(({ name }) => name);
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
