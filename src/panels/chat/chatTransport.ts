import type { HostMessage, PanelMessage, PanelTransport } from '../../editor/chat/protocol.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';

/** The connection of the chat's page with its host; the draft is what the page keeps. */
export function chatTransport(): PanelTransport {
  const { post, listen, kept, keep } = webviewTransport<HostMessage, PanelMessage, { readonly draft: string }>();
  return { post, listen, getDraft: () => kept()?.draft ?? '', setDraft: (draft) => keep({ draft }) };
}
