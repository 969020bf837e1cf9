import type { Clock } from '../../src/service/clock.ts';

interface Appointment {
  readonly at: number;
  readonly run: () => void;
}

/** A clock that only advances when a test says so. */
export class ManualClock implements Clock {
  readonly #appointments = new Set<Appointment>();
  #now: number;
  #elapsed = 0;

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  elapsed(): number {
    return this.#elapsed;
  }

  after(ms: number, run: () => void): () => void {
    const appointment = { at: this.#elapsed + ms, run };
    this.#appointments.add(appointment);
    return () => this.#appointments.delete(appointment);
  }

  /** Returns the number of timers that have neither run nor been canceled. */
  get pending(): number {
    return this.#appointments.size;
  }

  /** Changes the time as a user does, or a server for the time. */
  set(now: number): void {
    this.#now = now;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#elapsed += ms;
    for (const appointment of [...this.#appointments].toSorted((a, b) => a.at - b.at)) {
      if (appointment.at <= this.#elapsed && this.#appointments.delete(appointment)) appointment.run();
    }
  }
}
