/** Ends with 0 when the address that is named answers with 200: for container engines, where there is no curl. */
const { get } = require('node:http');

const [address] = process.argv.slice(2);
get(address, { agent: false }, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1)).on(
  'error',
  ({ message }) => {
    console.error(message);
    process.exit(1);
  },
);
