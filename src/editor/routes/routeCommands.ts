import type { CommandTable } from '../commands/commands.ts';
import { Lazy } from '../lazy.ts';
import type { RoutesPageServices } from './routesPage.ts';

/** The command for routes. Their page is loaded when it is first opened. */
export function routeCommands(services: RoutesPageServices): CommandTable {
  const page = new Lazy(async () => {
    const { RoutesPage } = await import('./routesPage.ts');
    return new RoutesPage(services);
  });
  return { 'modelAccess.manageRoutes': { run: async () => (await page.get()).open() } };
}
