import { openPage } from '../shared/openPage.ts';
import { chatTransport } from './chatTransport.ts';
import { startPanel } from './startPanel.tsx';

startPanel(openPage(), chatTransport());
