import * as l10n from '@vscode/l10n';
import type { Entry } from '../../chat/conversation/entry.ts';
import { buildRequest } from '../../chat/request.ts';
import { wireFormats } from '../../formats/index.ts';
import type { JsonObject } from '../../formats/json.ts';
import { ENDPOINT_PATHS } from '../../formats/wireFormat.ts';
import type { Chat } from '../chat/chat.ts';
import { type CopyServices, copyAs } from './copyAs.ts';

/**
 * Copies the request that the chat would send now, with its format and parameters. If the draft is empty, the last
 * question is used.
 */
export async function copyConversation(chat: Chat, services: CopyServices): Promise<void> {
  const { parameters, images } = chat;
  const entries = entriesToSend(chat);
  if (entries.length === 0) throw new Error(l10n.t('There is nothing to copy yet. Write a question first.'));
  const request = buildRequest(entries, parameters.requestSettings, images.lookup);
  const { format } = parameters;
  // Members with the value undefined are not sent.
  const body = JSON.parse(JSON.stringify(wireFormats[format].encodeRequest(request))) as JsonObject;
  await copyAs(services, { path: ENDPOINT_PATHS[format], body });
}

function entriesToSend({ composition, conversation }: Chat): readonly Entry[] {
  const { draft, attachments } = composition;
  const { entries } = conversation.value;
  if (draft.trim() !== '' || attachments.length > 0) {
    return [...entries, { role: 'user', id: 'draft', text: draft.trim(), attachments }];
  }
  return entries.slice(0, entries.findLastIndex(({ role }) => role === 'user') + 1);
}
