import type { ChatPanelMessage } from '../../pages/chat/panelMessages.ts';
import type { ChatHostMessage, KeptState } from '../../pages/chat/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startPanel } from './startPanel.tsx';

const transport = webviewTransport<ChatHostMessage, ChatPanelMessage & { readonly from?: string }, KeptState>({
  state: { state: 'object' },
  change: { change: 'object' },
  turnAdded: { turn: 'object' },
  turnChanged: { turn: 'object' },
  delta: { turnId: 'string' },
  turns: { from: 'number', turns: 'array' },
  history: { history: 'object' },
  showHistory: {},
  showTurn: { turnId: 'string' },
  context: { query: 'string', choices: 'array' },
  attachedPage: { choiceId: 'string', page: 'object' },
  prompts: { prompts: 'array' },
  starters: { starters: 'array' },
  notice: { notice: 'object' },
  noticeWithdrawn: { noticeId: 'string' },
  applied: { codes: 'array' },
  files: { found: 'array' },
  picture: { picture: 'string' },
  diagrams: { code: 'string' },
  compose: { text: 'string' },
  focus: {},
});

startPanel(openPage(), {
  ...transport,
  post: (message, chat) => transport.post({ ...message, ...(chat !== undefined && { from: chat }) }),
});
