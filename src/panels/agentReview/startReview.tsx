import { render } from 'preact';
import type { ReviewTransport } from '../../pages/agentReview/reviewMessages.ts';
import { ReviewPage } from './reviewPage.tsx';
import { ReviewStore, StoreProvider } from './store.ts';
import './styles/index.css';

/** Renders a page that reviews changes into `root` and connects it to its host. */
export function startReview(root: HTMLElement, transport: ReviewTransport): void {
  const store = new ReviewStore(transport);
  render(
    <StoreProvider store={store}>
      <ReviewPage />
    </StoreProvider>,
    root,
  );
  store.start();
}
