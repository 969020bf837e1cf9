import type { KeptRoutes, RoutesHostMessage } from '../../pages/routes/protocol.ts';
import type { RoutesPageMessage } from '../../pages/routes/routesMessages.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startRoutes } from './routesPage.tsx';

startRoutes(openPage(), webviewTransport<RoutesHostMessage, RoutesPageMessage, KeptRoutes>());
