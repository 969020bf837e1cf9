/** Share of the main thread's time that drawing what streams in may take: the rest is for keys, clicks and scrolling. */
const LARGEST_SHARE = 0.4;

/** Milliseconds after which the next drawing comes, however long the last one took. */
const MAX_PAUSE_MS = 120;

/** What the page offers to time its drawing by. */
export interface FrameTiming {
  /** Milliseconds on a clock that never goes back. */
  now(): number;
  /** Runs at the start of the next frame. */
  atFrame(run: () => void): void;
  /** Runs when the frame that is being made has been laid out and painted. */
  afterFrame(run: () => void): void;
  after(milliseconds: number, run: () => void): void;
}

/**
 * Draws at the start of a frame, and where frames are costly (a slow machine, no graphics card) leaves some out, so that
 * a stream leaves the page the larger part of its time. The cost is that of the whole frame, with layout and paint.
 */
export class PacedFrames {
  readonly #timing: FrameTiming;
  #notBefore = 0;

  constructor(timing: FrameTiming = pageTiming()) {
    this.#timing = timing;
  }

  /** Runs `draw` once, at the next frame that is due. */
  schedule(draw: () => void): void {
    const pause = this.#notBefore - this.#timing.now();
    if (pause <= 0) this.#drawAtFrame(draw);
    else this.#timing.after(pause, () => this.#drawAtFrame(draw));
  }

  #drawAtFrame(draw: () => void): void {
    const timing = this.#timing;
    timing.atFrame(() => {
      const start = timing.now();
      timing.afterFrame(() => {
        const cost = timing.now() - start;
        this.#notBefore = start + Math.min(cost / LARGEST_SHARE, cost + MAX_PAUSE_MS);
      });
      draw();
    });
  }
}

function pageTiming(): FrameTiming {
  const channel = new MessageChannel();
  const waiting: (() => void)[] = [];
  channel.port1.onmessage = () => waiting.shift()?.();
  return {
    now: () => performance.now(),
    atFrame: (run) => requestAnimationFrame(run),
    // A message that is sent at the start of a frame arrives when the frame is made.
    afterFrame: (run) => {
      waiting.push(run);
      channel.port2.postMessage(undefined);
    },
    after: (milliseconds, run) => setTimeout(run, milliseconds),
  };
}
