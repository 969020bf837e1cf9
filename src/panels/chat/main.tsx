import type { ChatHostMessage, ChatPanelMessage, KeptState } from '../../editor/chat/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startPanel } from './startPanel.tsx';

startPanel(openPage(), webviewTransport<ChatHostMessage, ChatPanelMessage, KeptState>());
