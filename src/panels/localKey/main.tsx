import type { KeyPageHostMessage, KeyPageMessage } from '../../editor/localKeys/keyPage/protocol.ts';
import { openPage } from '../shared/openPage.ts';
import { webviewTransport } from '../shared/webviewTransport.ts';
import { startLocalKey } from './startLocalKey.tsx';

startLocalKey(openPage(), webviewTransport<KeyPageHostMessage, KeyPageMessage, undefined>());
