import type { ConfigureAgentMessage } from '../../pages/configureAgent/configureMessages.ts';
import type { ConfigureAgentHostMessage } from '../../pages/configureAgent/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startConfigureAgent } from './configurePage.tsx';

startConfigureAgent(openPage(), webviewTransport<ConfigureAgentHostMessage, ConfigureAgentMessage>());
