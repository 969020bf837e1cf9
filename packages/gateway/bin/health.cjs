/** Exits with 0 if the given address answers with status 200. For container engines, because the image has no curl. */
const { get } = require('node:http');

const [address] = process.argv.slice(2);
get(address, { agent: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on(
  'error',
  ({ message }) => {
    console.error(message);
    process.exit(1);
  },
);
