import * as l10n from '@vscode/l10n';
import type { ApiError, ErrorKind } from '../../formats/apiError.ts';
import type { FailureAction, FailureView } from '../../pages/chat/protocol.ts';

/** A longer message of a service is cut off. To break the lines of a very long one would take the panel long. */
const MAX_MESSAGE_LENGTH = 2000;

interface Advice {
  readonly title: string;
  /** What to do, as a sentence. */
  readonly fix: string;
  readonly steps: readonly FailureAction[];
}

/** Functions, because the editor's language is not known when this file is loaded. */
const ADVICE: Readonly<Record<ErrorKind, () => Advice>> = {
  authentication: () => ({
    title: l10n.t('The key was not accepted'),
    fix: l10n.t('Check it in the dashboard and set it again.'),
    steps: ['setKey', 'openDashboard', 'retry'],
  }),
  credit: () => ({
    title: l10n.t('Your credit is used up'),
    fix: l10n.t('Add credit, or use a cheaper model.'),
    steps: ['addCredit', 'chooseModel', 'retry'],
  }),
  permission: () => ({
    title: l10n.t('This key lacks permission'),
    fix: l10n.t('Use another model, or another key.'),
    steps: ['chooseModel', 'setKey'],
  }),
  notFound: () => ({
    title: l10n.t('Model or address not found'),
    fix: l10n.t('Choose a model from the current list, or check the base address.'),
    steps: ['chooseModel', 'openSettings'],
  }),
  rateLimit: () => ({
    title: l10n.t('Too many requests'),
    fix: l10n.t('Wait a moment and retry.'),
    steps: ['retry'],
  }),
  overloaded: () => ({
    title: l10n.t('The service is overloaded'),
    fix: l10n.t('Wait a moment and retry, or use another model.'),
    steps: ['retry', 'chooseModel'],
  }),
  invalidRequest: () => ({
    title: l10n.t('The service refused the request'),
    fix: l10n.t('Change the message or the model.'),
    steps: ['chooseModel', 'newConversation'],
  }),
  tooLarge: () => ({
    title: l10n.t('The request is too large'),
    fix: l10n.t('Remove an attachment, or start a new chat.'),
    steps: ['newConversation', 'chooseModel'],
  }),
  timeout: () => ({ title: l10n.t('The service did not respond in time'), fix: l10n.t('Retry.'), steps: ['retry'] }),
  network: () => ({
    title: l10n.t('The service cannot be reached'),
    fix: l10n.t('Check the network and the base address, then retry.'),
    steps: ['retry', 'openSettings'],
  }),
  malformed: () => ({
    title: l10n.t('Could not read the answer'),
    fix: l10n.t('Retry, or use another format. See the log for details.'),
    steps: ['retry', 'openLog'],
  }),
  server: () => ({ title: l10n.t('The service failed'), fix: l10n.t('Retry.'), steps: ['retry', 'openLog'] }),
};

/** For a key of a team's gateway, whose administrator sets the budgets and creates the keys. */
const ADVICE_IN_TEAM: Partial<typeof ADVICE> = {
  credit: () => ({
    title: l10n.t('A budget is used up'),
    fix: l10n.t('Ask the administrator of the gateway to raise it, or use a cheaper model.'),
    steps: ['askAdministrator', 'chooseModel', 'retry'],
  }),
  authentication: () => ({
    title: l10n.t('The key was not accepted'),
    fix: l10n.t('It may have been revoked. Ask the administrator of the gateway for a new one and set it.'),
    steps: ['setKey', 'retry'],
  }),
};

/**
 * The card for a failed answer: what happened, why, what to do, and whether it was charged.
 * @param isInTeam whether the key belongs to a team's gateway.
 */
export function describeFailure(error: ApiError, hasText: boolean, isInTeam = false): FailureView {
  const advice = (isInTeam ? ADVICE_IN_TEAM[error.kind] : undefined) ?? ADVICE[error.kind];
  const { title, fix, steps } = advice();
  const isCut = hasText && (error.kind === 'network' || error.kind === 'timeout');
  return {
    kind: error.kind,
    title: isCut ? l10n.t('The answer was cut off') : title,
    detail: [sentence(error.message), fix, charged(error, hasText), request(error.requestId)]
      .filter((part) => part !== '')
      .join(' '),
    steps: hasText ? ['continue', ...steps.filter((step) => step !== 'continue')] : steps,
  };
}

function charged({ mayBeBilled }: ApiError, hasText: boolean): string {
  if (hasText) return l10n.t('The partial answer is kept and may be charged.');
  return mayBeBilled ? l10n.t('The request may have been charged. Check the balance.') : l10n.t('Nothing was charged.');
}

function request(id: string | undefined): string {
  return id === undefined ? '' : l10n.t('Request {0}.', id);
}

function sentence(message: string): string {
  const trimmed = message.trim();
  if (trimmed === '') return '';
  if (trimmed.length > MAX_MESSAGE_LENGTH) return `${trimmed.slice(0, MAX_MESSAGE_LENGTH - 1)}…`;
  return /[.!?…][)"’”\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
