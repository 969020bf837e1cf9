import type { SessionHostMessage } from '../../pages/session/protocol.ts';
import type { SessionPageMessage } from '../../pages/session/sessionMessages.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startSession } from './sessionPage.tsx';

startSession(openPage(), webviewTransport<SessionHostMessage, SessionPageMessage, string>());
