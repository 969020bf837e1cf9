import type { HostMessage, KeptState, PanelMessage, PanelTransport } from '../../editor/chat/protocol.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';

/** The connection of the chat's page with its host. */
export function chatTransport(): PanelTransport {
  return webviewTransport<HostMessage, PanelMessage, KeptState>();
}
