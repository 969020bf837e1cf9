import type { KeptTraffic, TrafficHostMessage } from '../../pages/traffic/protocol.ts';
import type { TrafficPageMessage } from '../../pages/traffic/trafficMessages.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startTraffic } from './trafficPage.tsx';

startTraffic(
  openPage(),
  webviewTransport<TrafficHostMessage, TrafficPageMessage, KeptTraffic>({
    list: {
      choice: 'object',
      rows: 'array',
      hasMore: 'boolean',
      exchanges: 'number',
      cost: 'number',
      sampleCost: 'number',
    },
    older: { rows: 'array', hasMore: 'boolean' },
    newer: { rows: 'array', exchanges: 'number', cost: 'number', sampleCost: 'number' },
    sessions: { count: 'number', sessions: 'array', titles: 'object' },
    sessionRequests: { sessionId: 'string', rows: 'array', hasMore: 'boolean' },
    live: { rows: 'array' },
    bodiesDeleted: {},
    viewContext: { viewContext: 'object' },
    details: { id: 'string' },
    context: { id: 'string' },
    body: { id: 'string', part: 'string' },
  }),
);
