import { errorText } from '../../../../src/display/errors.ts';
import { AdminEndpoints } from '../admin/adminEndpoints.ts';
import { reportContext } from '../postgres/admin/contextReport.ts';
import { KeyAdmin } from '../postgres/admin/keyAdmin.ts';
import { reportModels } from '../postgres/admin/modelReport.ts';
import { TeamAdmin } from '../postgres/admin/teamAdmin.ts';
import { reportUsage } from '../postgres/admin/usageReport.ts';
import { TeamDatabase } from '../postgres/teamDatabase.ts';
import type { DatabaseSettings } from './database.ts';

/**
 * Opens the parts of a gateway that are stored in a database. Loaded only if there is one.
 * @throws {DatabaseError}
 */
export async function openTeam({ adminKey, ...settings }: DatabaseSettings, onProblem: (message: string) => void) {
  const database = await TeamDatabase.open({ ...settings, onProblem });
  const { books, keys, queues, responses, refusals, reports } = database;
  const admin = new AdminEndpoints({
    adminKey,
    keySource: keys,
    keys: new KeyAdmin(reports),
    teams: new TeamAdmin(reports),
    refusals,
    reportUsage: (question) => reportUsage(reports, question),
    reportContext: (question) => reportContext(reports, question),
    reportModels: (question) => reportModels(reports, question),
    onError: (error) => onProblem(errorText(error)),
  });
  return { database, books, keys, queues, responses, refusals, admin };
}
