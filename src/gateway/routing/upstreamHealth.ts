import { Circuit } from './circuit.ts';
import { Pauses } from './failover/pauses.ts';

/** What is known from earlier requests about the availability of an upstream. Outlives a router. */
export class UpstreamHealth {
  readonly circuit = new Circuit();
  readonly pauses = new Pauses();
}
