import { late } from '../../shared/late.ts';

/** The parts of the panel that show a run. A chat without one does not load them. */
export const agentParts = late(() => import('./parts.ts'));
