#!/usr/bin/env node
// Uses syntax that every Node.js can parse, so that a version that is too old for the gateway prints an explanation
// instead of a syntax error.
'use strict';

const needed = require('../package.json').engines.node.match(/\d+/g).map(Number);
const found = process.versions.node.split('.').map(Number);
if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error(
    'model-access-gateway needs Node.js ' +
      needed.join('.') +
      ' or later. This is Node.js ' +
      process.versions.node +
      '. You can download a newer version from https://nodejs.org.',
  );
  process.exit(1);
}
require('../dist/serve.cjs');
