import type { KeptTraffic, TrafficHostMessage, TrafficPageMessage } from '../../editor/traffic/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startTraffic } from './startTraffic.tsx';

startTraffic(openPage(), webviewTransport<TrafficHostMessage, TrafficPageMessage, KeptTraffic>());
