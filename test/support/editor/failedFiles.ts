import { writeFileSync } from 'node:fs';
import { type MochaOptions, Runner, reporters, type Test } from 'mocha';

/** The variable with the path of the file that {@link FailedFilesReporter} writes. */
const LIST_VARIABLE = 'MODEL_ACCESS_FAILED_FILES';

/** Mocha's usual report. At its end, writes the paths of the files with failures, a JSON array, for a second run. */
// Mocha loads the default export of a reporter.
// biome-ignore lint/style/noDefaultExport: see above
export default class FailedFilesReporter extends reporters.Spec {
  constructor(runner: Runner, options?: MochaOptions) {
    super(runner, options);
    const files = new Set<string>();
    runner.on(Runner.constants.EVENT_TEST_FAIL, (failed: Test) => {
      // A failed hook has no file of its own.
      const file = failed.file ?? failed.parent?.file;
      if (file !== undefined) files.add(file);
    });
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const list = process.env[LIST_VARIABLE];
      if (list !== undefined) writeFileSync(list, JSON.stringify([...files]));
    });
  }
}
