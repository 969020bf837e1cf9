import type { Clock } from '../../src/service/clock.ts';

interface Appointment {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that only advances when a test says so. */
export class ManualClock implements Clock {
  readonly #appointments = new Set<Appointment>();
  #now: number;

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    const appointment = { at: this.#now + ms, run };
    this.#appointments.add(appointment);
    return () => this.#appointments.delete(appointment);
  }

  /** Returns the number of timers that have neither run nor been canceled. */
  get pending(): number {
    return this.#appointments.size;
  }

  advance(ms: number): void {
    this.#now += ms;
    for (const appointment of [...this.#appointments].toSorted((a, b) => a.at - b.at)) {
      if (appointment.at <= this.#now && this.#appointments.delete(appointment)) appointment.run();
    }
  }
}
