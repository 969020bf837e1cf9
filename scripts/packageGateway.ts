/** Builds the npm package of the command line as `dist/model-access-gateway-<version>.tgz`. */
import { relative } from 'node:path';
import { packageGateway } from './lib/gatewayPackage.ts';
import { ROOT } from './lib/paths.ts';

console.log(`Packaged ${relative(ROOT, await packageGateway())}`);
