import type { ReviewHostMessage } from '../../pages/agentReview/protocol.ts';
import type { ReviewPageMessage } from '../../pages/agentReview/reviewMessages.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startReview } from './reviewPage.tsx';

startReview(openPage(), webviewTransport<ReviewHostMessage, ReviewPageMessage>());
