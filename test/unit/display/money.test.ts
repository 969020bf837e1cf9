import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  balanceAfter,
  formatBalance,
  formatEstimate,
  formatMoney,
  formatPrice,
  formatRoughly,
  formatStatusBarEstimate,
  formatSum,
  spokenBalance,
  spokenMoney,
} from '../../../src/display/money.ts';

type Cases = readonly (readonly [number, string])[];
const amount = fc.double({ min: 0, max: 100_000, noNaN: true });
const positive = fc.double({ min: 1e-12, max: 100_000, noNaN: true });
const value = (text: string) => Number(text.replace(/[^\d.-]/g, ''));

function shows(format: (usd: number) => string, cases: Cases): void {
  for (const [usd, text] of cases) {
    it(`shows ${usd} as ${text}`, () => assert.equal(format(usd), text));
  }
}

describe('a charged amount', () => {
  shows(formatMoney, [
    [0, '$0.00'],
    [0.00000001, '< $0.0001'],
    [0.00009, '< $0.0001'],
    [0.0001, '$0.0001'],
    [0.0006, '$0.0006'],
    [0.0042, '$0.0042'],
    [0.005, '$0.0050'],
    [0.00996, '$0.0100'],
    [0.01, '$0.0100'],
    [0.0349, '$0.0349'],
    [0.034876, '$0.0349'],
    [0.1, '$0.100'],
    [0.187, '$0.187'],
    [0.9994, '$0.999'],
    [0.9996, '$1.00'],
    [1.62, '$1.62'],
    [1234.5, '$1,234.50'],
    [-0.05, '-$0.0500'],
  ]);

  it('is never shown as zero', () => {
    fc.assert(fc.property(positive, (usd) => assert.match(formatMoney(usd), /[1-9]/)));
  });

  it('is off by at most $0.0001 or 1 percent', () => {
    fc.assert(
      fc.property(amount, (usd) => {
        assert.ok(Math.abs(value(formatMoney(usd)) - usd) <= Math.max(0.0001, usd * 0.01), formatMoney(usd));
      }),
    );
  });
});

describe('an estimated amount', () => {
  shows(formatEstimate, [
    [0, '≈\u2009$0.00'],
    [0.00002, '< $0.0001'],
    [0.00042, '≈\u2009$0.0004'],
    [0.0042, '≈\u2009$0.0042'],
    [0.0519, '≈\u2009$0.052'],
    [0.0999, '≈\u2009$0.10'],
    [0.1, '≈\u2009$0.10'],
    [0.01, '≈\u2009$0.010'],
    [0.001, '≈\u2009$0.0010'],
    [0.999, '≈\u2009$1.00'],
    [1.234, '≈\u2009$1.20'],
    [12.34, '≈\u2009$12'],
    [1234, '≈\u2009$1,200'],
  ]);

  it('is never shown as zero and is always marked as inexact', () => {
    fc.assert(fc.property(positive, (usd) => assert.match(formatEstimate(usd), /^[≈<].*[1-9]/)));
  });

  it('is off by at most 10 percent or half of the last decimal', () => {
    fc.assert(
      fc.property(amount, (usd) => {
        assert.ok(Math.abs(value(formatEstimate(usd)) - usd) <= Math.max(0.0001, usd * 0.1), formatEstimate(usd));
      }),
    );
  });
});

describe('an estimate without the estimate sign', () => {
  shows(formatRoughly, [
    [0, '$0.00'],
    [0.00002, '< $0.0001'],
    [0.0519, '$0.052'],
  ]);
});

describe('an estimate in the status bar', () => {
  shows(formatStatusBarEstimate, [
    [0, '$0.00'],
    [0.0002, '< $0.001'],
    [0.0042, '$0.004'],
    [0.187, '$0.187'],
    [1.237, '$1.24'],
  ]);
});

describe('a balance', () => {
  shows(formatBalance, [
    [0, '$0.00'],
    [12.44, '$12.44'],
    [12.449, '$12.44'],
    [1.15, '$1.15'],
    [12.44 - 0.05, '$12.39'],
    [0.87, '$0.87'],
    [0.01, '$0.01'],
    [0.00999, '$0.0099'],
    [0.004, '$0.004'],
    [0.00001, '< $0.0001'],
    [2500, '$2,500.00'],
    [-0.501, '-$0.51'],
  ]);

  it('is never shown as more than the actual balance', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.0001, max: 100_000, noNaN: true }), (usd) => {
        assert.ok(value(formatBalance(usd)) <= usd + 1e-8, formatBalance(usd));
      }),
    );
  });

  it('is shown as zero only if it is zero', () => {
    fc.assert(fc.property(positive, (usd) => assert.match(formatBalance(usd), /[1-9]/)));
  });
});

describe('the balance after a charge', () => {
  it('equals the balance if the charge is too small to show', () => {
    assert.equal(formatBalance(balanceAfter(25, 0.00003)), '$25.00');
    assert.equal(formatBalance(balanceAfter(25, 0.0042)), '$24.99');
    assert.equal(formatBalance(balanceAfter(0.02, 0.5)), '$0.00');
  });

  it('is never more than the balance or less than zero', () => {
    fc.assert(
      fc.property(amount, amount, (balance, charge) => {
        const left = balanceAfter(balance, charge);
        assert.ok(left >= 0 && left <= balance);
        assert.ok(value(formatBalance(left)) <= value(formatBalance(balance)) || left < 0.0001);
      }),
    );
  });
});

describe('a sum', () => {
  shows(formatSum, [
    [0, '$0.00'],
    [0.0011, '$0.0011'],
    [0.146, '$0.146'],
    [0.9, '$0.90'],
    [0.0496, '$0.0496'],
    [0.0000001, '< $0.0001'],
    [1.554, '$1.55'],
    [6.91, '$6.91'],
    [1500, '$1,500.00'],
  ]);

  const charges = fc.array(fc.double({ min: 0, max: 50, noNaN: true }), { minLength: 1, maxLength: 30 });

  it('is never shown as less than one of its parts', () => {
    fc.assert(
      fc.property(charges, (parts) => {
        const total = parts.reduce((sum, part) => sum + part, 0);
        const shown = value(formatSum(total));
        for (const part of parts)
          assert.ok(shown >= value(formatMoney(part)), `${formatSum(total)} < ${formatMoney(part)}`);
      }),
    );
  });

  it('is never shown as less than a sum that it contains', () => {
    fc.assert(fc.property(amount, amount, (a, b) => assert.ok(value(formatSum(a + b)) >= value(formatSum(a)))));
  });

  it('is rounded to the nearest value, by at most half a cent or half a percent', () => {
    fc.assert(
      fc.property(amount, (usd) => {
        assert.ok(Math.abs(value(formatSum(usd)) - usd) <= Math.max(0.0001, Math.min(0.005, usd * 0.006)) + 1e-9);
      }),
    );
  });
});

describe('a price', () => {
  shows(formatPrice, [
    [3, '$3.00'],
    [0.5, '$0.50'],
    [0.075, '$0.075'],
    [12, '$12.00'],
    [0, '$0.00'],
  ]);
});

describe('a balance for screen readers', () => {
  shows(spokenBalance, [
    [0, '0 cents'],
    [0.0099, 'under 1 cent'],
    [0.019, '1 cent'],
    [0.9999, '99 cents'],
    [1.15, '1 dollar 15 cents'],
    [24.996, '24 dollars 99 cents'],
  ]);
});

describe('amounts for screen readers', () => {
  shows(spokenMoney, [
    [0, '0 cents'],
    [0.0042, 'under 1 cent'],
    [0.012, '1 cent'],
    [0.0519, '5 cents'],
    [1, '1 dollar'],
    [12.39, '12 dollars 39 cents'],
  ]);
});
