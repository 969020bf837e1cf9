import type { PeriodChoice, UsageHostMessage, UsagePageMessage } from '../../pages/usage/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startUsage } from './startUsage.tsx';

startUsage(
  openPage(),
  webviewTransport<UsageHostMessage, UsagePageMessage, PeriodChoice>({ state: { state: 'object' } }),
);
