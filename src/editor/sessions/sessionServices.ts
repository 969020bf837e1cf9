import type { TrafficServices } from '../traffic/trafficServices.ts';

export type SessionServices = Pick<
  TrafficServices,
  'worker' | 'ledger' | 'calls' | 'localKeys' | 'models' | 'store' | 'log'
>;
