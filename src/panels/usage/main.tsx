import type { KeptUsage, UsageHostMessage } from '../../pages/usage/protocol.ts';
import type { UsagePageMessage } from '../../pages/usage/usageMessages.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startUsage } from './usagePage.tsx';

startUsage(openPage(), webviewTransport<UsageHostMessage, UsagePageMessage, KeptUsage>());
