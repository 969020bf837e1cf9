import assert from 'node:assert/strict';
import { exchangeRow } from '../../../../packages/gateway/src/postgres/exchangeRow.ts';
import { entry } from '../../ledger/entries.ts';

describe('an exchange in the database of several gateways', () => {
  it('does not name its repository and branch', () => {
    const row = exchangeRow(entry({ repository: 'orchard/shop', branch: 'feature/totals' }), 'team', undefined);
    assert.doesNotMatch(JSON.stringify(row), /orchard|totals|repository|branch/);
    assert.equal(row.model, 'familya-sonnet-4.6');
  });

  it('has the limit of the output that a budget has set among its details', () => {
    assert.equal(exchangeRow(entry({ outputLimit: 1024 }), 'team', undefined).details.output_limit, 1024);
    assert.equal('output_limit' in exchangeRow(entry(), 'team', undefined).details, false);
  });
});
