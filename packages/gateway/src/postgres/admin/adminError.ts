import { isRecord } from '../../../../../src/formats/json.ts';
import { databaseError } from '../databaseError.ts';

/**
 * `unknown`: the key or team does not exist. `taken`: the name is already in use. `invalid`: the request is invalid.
 */
export type AdminProblem = 'unknown' | 'taken' | 'invalid';

export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly problem: AdminProblem;

  constructor(problem: AdminProblem, message: string) {
    super(message);
    this.problem = problem;
  }
}

const UNIQUE_VIOLATION = '23505';

/**
 * Runs a statement that sets a name.
 * @throws {AdminError} `taken` if the name is already in use.
 */
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
