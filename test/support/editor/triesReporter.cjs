// Mocha requires a reporter whose module is the class itself.
const { reporters, Runner } = require('mocha');

/** Prints as mocha does, and beside that why a test needed its second try, which mocha says to nobody. */
module.exports = class TriesReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.on(Runner.constants.EVENT_TEST_RETRY, (test, error) => {
      console.log(`    Tried again: ${test.fullTitle()}\n${error.stack}`);
    });
  }
};
