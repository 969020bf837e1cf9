/** Parses and follows links such as `vscode://model-access.model-access/open?model=familya-opus-4.6&prompt=Hello`. */

import * as l10n from '@vscode/l10n';
import { defined } from '../../formats/json.ts';
import type { ChatSession } from '../chat/chatSession.ts';
import type { ChatView } from '../chat/panel/chatView.ts';
import type { ModelList } from '../models/modelList.ts';

/** The contents of a link. All members are optional; without any, the chat is shown. */
export interface OpenLink {
  readonly model?: string;
  /** The ID of a conversation on this machine. */
  readonly conversation?: string;
  /** The text for the composer. A link never sends it. */
  readonly prompt?: string;
}

const PATH = '/open';
const MAX_PROMPT_LENGTH = 20_000;
const MAX_MODEL_LENGTH = 256;
const CONVERSATION = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
/** Names of parameters that may contain keys. */
const KEY_NAME = /key|token|secret|auth|password|credential/i;
/** The prefixes of this service's keys and of those of common vendors. */
const KEY_VALUE = /\b(?:key_|sk-|sk_|ghp_|xai-|AIza)[\w-]{4,}/;

/** @throws an error with a message for the user that does not repeat any part of the link. */
export function readLink(path: string, query: string, fragment = ''): OpenLink {
  const parameters = new URLSearchParams(query);
  refuseKeys(parameters, fragment);
  if (path.replace(/\/+$/, '') !== PATH) throw new Error(l10n.t('Model Access does not recognize this link.'));
  const model = textOf(parameters, 'model', MAX_MODEL_LENGTH);
  const conversation = textOf(parameters, 'conversation', MAX_MODEL_LENGTH);
  const prompt = textOf(parameters, 'prompt', MAX_PROMPT_LENGTH);
  if (conversation !== undefined && !CONVERSATION.test(conversation)) {
    throw new Error(l10n.t('The chat ID in the link is not valid.'));
  }
  return {
    ...defined({ model, conversation, prompt }),
  };
}

/** Links are stored in histories and logs, so a key in a link is compromised. */
function refuseKeys(parameters: URLSearchParams, fragment: string): void {
  const containsKey = [...parameters].some(([name, value]) => KEY_NAME.test(name) || KEY_VALUE.test(value));
  if (!containsKey && !KEY_VALUE.test(fragment)) return;
  throw new Error(
    l10n.t(
      'The link contains a key and was not opened. Links are stored in histories and logs, so replace that key with a new one and enter it with “Set Service Key…”.',
    ),
  );
}

function textOf(parameters: URLSearchParams, name: string, longest: number): string | undefined {
  const text = parameters.get(name)?.trim();
  if (text === undefined || text === '') return undefined;
  if (text.length > longest) throw new Error(l10n.t('“{0}” in the link is too long.', name));
  return text;
}

/**
 * Shows the chat with what the link contains.
 * @throws if the link names a model or a chat that does not exist here.
 */
export async function followLink(
  { model, conversation, prompt }: OpenLink,
  { session, models }: { readonly session: ChatSession; readonly models: ModelList },
  view: Pick<ChatView, 'reveal'>,
): Promise<void> {
  if (model !== undefined && models.state.models.length > 0 && models.find(model) === undefined) {
    throw new Error(l10n.t('The link requests a model that is not in the catalog.'));
  }
  if (conversation !== undefined && !(await session.open(conversation))) {
    throw new Error(l10n.t('The linked chat is not on this machine.'));
  }
  // For this conversation only: a link does not change the default.
  if (model !== undefined) session.parameters.decide({ ...session.parameters.own, model });
  if (prompt === undefined) return view.reveal();
  const { draft } = session.chat.composition;
  const text = draft.trim() === '' ? prompt : `${draft}\n\n${prompt}`;
  session.chat.composition.setDraft(text);
  await view.reveal({ type: 'compose', text });
}
