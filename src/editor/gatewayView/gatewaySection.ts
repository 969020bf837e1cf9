import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { escapeMarkdown } from '../../display/escapeMarkdown.ts';
import type { GatewayController, GatewayState } from '../gateway/gatewayController.ts';
import type { KeyBudgetMonitor } from '../localKeys/keyBudgetMonitor.ts';
import {
  commandLinks,
  hoverText,
  type StatusHover,
  type StatusPart,
  type StatusSection,
} from '../statusBar/statusSection.ts';
import type { ListeningAddress } from '../worker/gatewayListener.ts';

const MENU = 'modelAccess.showGatewayMenu';

/** In the status bar, the port of a running gateway, and what needs attention. */
export class GatewaySection implements StatusSection, vscode.Disposable {
  readonly name = 'gateway';
  readonly #gateway: GatewayController;
  readonly #budgets: KeyBudgetMonitor;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[];

  readonly onDidChange = this.#changed.event;

  constructor(gateway: GatewayController, budgets: KeyBudgetMonitor) {
    this.#gateway = gateway;
    this.#budgets = budgets;
    const changed = () => this.#changed.fire();
    this.#subscriptions = [gateway.onDidChange(changed), budgets.onDidChange(changed)];
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions, this.#changed).dispose();
  }

  /** A gateway that is off is not shown: most people have none. */
  part(): StatusPart | undefined {
    const { state } = this.#gateway;
    if (state.state === 'off') return undefined;
    const waiting = waitingText(this.#budgets.waitingSessions);
    const [worst] = this.#warnings;
    const short = [wordsFor(state).short, ...waiting].join(' · ');
    return {
      text: `$(radio-tower) ${short}${worst === undefined ? '' : ` $(warning) ${worst.short}`}`,
      label: this.#lines.join(' '),
      level: state.state === 'failed' ? 'error' : waiting.length > 0 ? 'warning' : undefined,
      command: MENU,
    };
  }

  hover(): StatusHover {
    const links = commandLinks([l10n.t('Gateway menu'), MENU]);
    return {
      markdown: hoverText(`**${l10n.t('Gateway')}**`, this.#lines.map(escapeMarkdown), links),
      commands: [MENU],
    };
  }

  get #warnings() {
    return this.#gateway.state.state === 'running' ? this.#budgets.warnings : [];
  }

  get #lines(): readonly string[] {
    const waiting = waitingText(this.#budgets.waitingSessions);
    return [wordsFor(this.#gateway.state).long, ...waiting, ...this.#warnings.map(({ long }) => long)];
  }
}

function waitingText(sessions: number): readonly string[] {
  if (sessions === 0) return [];
  return [sessions === 1 ? l10n.t('1 session waits') : l10n.t('{0} sessions wait', sessions)];
}

/** The address, and whether another window listens on the port. Both work the same for tools. */
export function placeOf({ address, owner }: ListeningAddress): string {
  return owner === 'self' ? address : l10n.t('{0}, in another window', address);
}

function wordsFor(state: GatewayState): { readonly short: string; readonly long: string } {
  switch (state.state) {
    case 'off':
      return { short: '', long: l10n.t('The gateway is off.') };
    case 'starting':
      return { short: l10n.t('Starting…'), long: l10n.t('The gateway is starting.') };
    case 'running':
      return { short: String(state.port), long: l10n.t('The gateway is running at {0}', placeOf(state)) };
    case 'failed':
      return { short: l10n.t('Failed'), long: `${l10n.t('The gateway failed.')} ${state.problem}` };
  }
}
