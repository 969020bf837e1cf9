/** Changes a configuration file in a process that cannot write long files. Without a handler, the signal ends it. */
import { changeFile } from '../../../src/tools/configurationFile.ts';

const [, , path = ''] = process.argv;
process.on('SIGXFSZ', () => undefined);
await changeFile(path, 'json', [{ kind: 'set', path: ['key'], value: 1 }]).catch((error) => console.log(error.code));
