import type { HelperRole } from './helperRoles.ts';

/** A part of a run's task, which a helper does. */
export interface HelperTask {
  readonly id: string;
  /** For the person and the model. */
  readonly name: string;
  readonly text: string;
  readonly role: HelperRole;
  readonly model: string;
}

/** A task as the model has given it. */
export interface AskedHelper extends Omit<HelperTask, 'id'> {
  /** In US dollars. By default, an equal part of half of what the run may still spend. */
  readonly budget: number | undefined;
}
