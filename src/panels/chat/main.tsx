import { startPanel } from './startPanel.tsx';
import { webviewTransport } from './webviewTransport.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id "root".');
startPanel(root, webviewTransport());
