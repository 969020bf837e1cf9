import assert from 'node:assert/strict';
import { exchangeRow } from '../../../../packages/gateway/src/postgres/exchangeRow.ts';
import { entry } from '../../ledger/entries.ts';

describe('an exchange in the database of several gateways', () => {
  it('does not name its repository and branch', () => {
    const row = exchangeRow(entry({ repository: 'orchard/shop', branch: 'feature/totals' }), 'team', undefined);
    assert.doesNotMatch(JSON.stringify(row), /orchard|totals|repository|branch/);
    assert.equal(row.model, 'familya-sonnet-4.6');
  });
});
