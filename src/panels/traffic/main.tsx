import type { KeptTraffic, TrafficHostMessage } from '../../pages/traffic/protocol.ts';
import type { TrafficPageMessage } from '../../pages/traffic/trafficMessages.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startTraffic } from './trafficPage.tsx';

startTraffic(openPage(), webviewTransport<TrafficHostMessage, TrafficPageMessage, KeptTraffic>());
