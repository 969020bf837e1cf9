import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { PageLoader } from '../../../src/pages/pageLoader.ts';

const MAX_LOADING_MS = 15_000;

describe('a page that is loaded', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  function started(isVisible = true) {
    const loader = new PageLoader();
    const events: string[] = [];
    loader.start({
      isVisible: () => isVisible,
      load: () => events.push('load'),
      onRetry: () => events.push('retry'),
    });
    return { loader, events };
  }

  it('is loaded again, once, if it does not become ready', () => {
    const { events } = started();
    mock.timers.tick(MAX_LOADING_MS - 1);
    assert.deepEqual(events, ['load']);
    mock.timers.tick(1);
    assert.deepEqual(events, ['load', 'retry', 'load']);
    mock.timers.tick(10 * MAX_LOADING_MS);
    assert.deepEqual(events, ['load', 'retry', 'load']);
  });

  it('is left alone once it is ready', () => {
    const { loader, events } = started();
    loader.stop();
    mock.timers.tick(MAX_LOADING_MS);
    assert.deepEqual(events, ['load']);
  });

  it('is not loaded again while it is hidden', () => {
    const { events } = started(false);
    mock.timers.tick(MAX_LOADING_MS);
    assert.deepEqual(events, ['load']);
  });
});
