import { pageStarter } from '../shared/pageStore.ts';
import { SessionPage } from './sessionPage.tsx';
import { SessionStore, StoreProvider } from './store.ts';
import './styles/index.css';

export const startSession = pageStarter(SessionStore, StoreProvider, SessionPage);
