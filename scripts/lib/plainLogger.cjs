/**
 * Replaces `@vscode/spdlog` in the editor host for tests. That package is native and would have to be compiled. Without
 * it the editor writes no log files and shows no extension's log in its Output view, and no test could assert that logs
 * contain no key. This module has the same interface and appends lines to files.
 */
const fs = require('node:fs');
const path = require('node:path');

const LEVELS = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  #file;
  #level = 2;
  #stamped = true;

  constructor(_type, _name, file) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.#file = file;
  }

  trace = (message) => this.#write(0, message);
  debug = (message) => this.#write(1, message);
  info = (message) => this.#write(2, message);
  warn = (message) => this.#write(3, message);
  error = (message) => this.#write(4, message);
  critical = (message) => this.#write(5, message);

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  setPattern() {
    this.#stamped = true;
  }

  clearFormatters() {
    this.#stamped = false;
  }

  flush() {
    // Nothing to flush: each line is in the file when its call returns.
  }

  drop() {
    // Nothing to close: no file is kept open.
  }

  #write(level, message) {
    if (level < this.#level) return;
    const line = this.#stamped ? `${timestamp()} [${LEVELS[level]}] ${message}\n` : message;
    fs.appendFileSync(this.#file, line);
  }
}

/** Returns local time, such as `2026-05-01 12:30:00.125`. */
function timestamp() {
  const now = new Date();
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  return local.toISOString().replace('T', ' ').replace('Z', '');
}

async function createLogger(name, file) {
  return new Logger('rotating', name, file);
}

exports.version = 0;
exports.setLevel = () => undefined;
exports.setFlushOn = () => undefined;
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
