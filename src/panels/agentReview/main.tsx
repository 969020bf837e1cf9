import type { ReviewHostMessage, ReviewPageMessage } from '../../pages/agentReview/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startReview } from './startReview.tsx';

startReview(openPage(), webviewTransport<ReviewHostMessage, ReviewPageMessage>({ state: { state: 'object' } }));
