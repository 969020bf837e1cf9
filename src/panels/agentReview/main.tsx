import type { ReviewHostMessage, ReviewPageMessage } from '../../editor/chat/review/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startReview } from './startReview.tsx';

startReview(openPage(), webviewTransport<ReviewHostMessage, ReviewPageMessage>({ state: { state: 'object' } }));
