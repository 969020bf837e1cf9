import type { ConnectPageMessage } from '../../pages/connectTool/connectMessages.ts';
import type { ConnectForm, ConnectHostMessage } from '../../pages/connectTool/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startConnectTool } from './connectPage.tsx';

startConnectTool(openPage(), webviewTransport<ConnectHostMessage, ConnectPageMessage, ConnectForm>());
