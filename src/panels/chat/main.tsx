import type { ChatPanelMessage } from '../../pages/chat/panelMessages.ts';
import type { ChatHostMessage, KeptState } from '../../pages/chat/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startPanel } from './startPanel.tsx';

const transport = webviewTransport<ChatHostMessage, ChatPanelMessage & { readonly from?: string }, KeptState>();

startPanel(openPage(), {
  ...transport,
  post: (message, chat) => transport.post({ ...message, ...(chat !== undefined && { from: chat }) }),
});
