import { isRecord } from '../../../formats/json.ts';
import { databaseError } from '../databaseError.ts';

/** `unknown`: no such key or team. `taken`: another one has the name. `invalid`: it cannot be as asked for. */
export type AdminProblem = 'unknown' | 'taken' | 'invalid';

/** Why an administrator's command was not carried out, in one sentence. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly problem: AdminProblem;

  constructor(problem: AdminProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const UNIQUE_VIOLATION = '23505';

/** Runs a statement that gives something a name. @throws {AdminError} `taken` when the name is another's. */
export async function withName<Result>(noun: string, name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    const { cause } = databaseError(error);
    if (isRecord(cause) && cause.code === UNIQUE_VIOLATION) {
      throw new AdminError('taken', `A ${noun} named "${name}" already exists.`);
    }
    throw error;
  }
}
