/**
 * Runs in the measured page, which is the panel or plain text. The page has `window.subject` with `open()`,
 * `append(text)`, and `scroller()`.
 */

const nextPaint = () =>
  new Promise((done) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(undefined);
    });
  });

/** @returns milliseconds until the conversation is painted. */
window.measureOpen = async () => {
  const start = performance.now();
  window.subject.open();
  await nextPaint();
  return performance.now() - start;
};

/** Streams `text` at a constant rate, with at most one message per frame, as the host does. */
window.stream = async (text, charactersPerSecond) => {
  const start = performance.now();
  let sent = 0;
  while (sent < text.length) {
    await new Promise((done) => setTimeout(done, 16));
    const due = Math.floor(((performance.now() - start) * charactersPerSecond) / 1000);
    if (due > sent) window.subject.append(text.slice(sent, due));
    sent = Math.max(sent, due);
  }
  return performance.now() - start;
};

/** Durations of key presses in milliseconds, from the press to the next paint, in steps of 8. */
window.keyLatencies = [];
window.watchKeys = () => {
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.name === 'keydown') window.keyLatencies.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16 });
};

/**
 * Scrolls from the end to the start.
 * @returns milliseconds between the frames.
 */
window.scrollThrough = async (pixelsPerFrame) => {
  const scroller = window.subject.scroller();
  const intervals = [];
  scroller.scrollTop = scroller.scrollHeight;
  await nextPaint();
  let before = await new Promise(requestAnimationFrame);
  while (scroller.scrollTop > 0 && intervals.length < 600) {
    scroller.scrollTop -= pixelsPerFrame;
    const now = await new Promise(requestAnimationFrame);
    intervals.push(now - before);
    before = now;
  }
  return intervals;
};
