import { pageStarter } from '../shared/pageStore.ts';
import { ReviewPage } from './reviewPage.tsx';
import { ReviewStore, StoreProvider } from './store.ts';
import './styles/index.css';

export const startReview = pageStarter(ReviewStore, StoreProvider, ReviewPage);
