import type { HostMessage, PageMessage, TrafficChoice } from '../../editor/traffic/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startTraffic } from './startTraffic.tsx';

startTraffic(openPage(), webviewTransport<HostMessage, PageMessage, TrafficChoice>());
