import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Corrections } from '../../../../src/gateway/counting/corrections.ts';

describe('token count corrections', () => {
  it('are undefined before a report', () => {
    assert.equal(new Corrections().find('m'), undefined);
  });

  it('move halfway to the first report, and close to the true value after more reports', () => {
    const corrections = new Corrections();
    corrections.report('m', 1.44, 1);
    assert.ok(Math.abs((corrections.find('m')?.factor ?? 0) - 1.2) < 1e-9);
    for (let i = 0; i < 40; i += 1) corrections.report('m', 1.44, 1);
    assert.ok(Math.abs((corrections.find('m')?.factor ?? 0) - 1.44) < 0.02);
    assert.equal(corrections.find('m')?.reports, 41);
  });

  it('are not distorted by one outlier', () => {
    const corrections = new Corrections();
    for (let i = 0; i < 20; i += 1) corrections.report('m', 1.2, 1.2);
    corrections.report('m', 50, 1.2);
    const { factor = 0 } = corrections.find('m') ?? {};
    assert.ok(factor > 1.2 && factor < 1.35, String(factor));
  });

  it('follow a model that changes', () => {
    const corrections = new Corrections();
    for (let i = 0; i < 500; i += 1) corrections.report('m', 1, 1);
    for (let i = 0; i < 30; i += 1) corrections.report('m', 1.35, 1);
    assert.ok((corrections.find('m')?.factor ?? 0) > 1.33);
  });

  it('are separate for each model', () => {
    const corrections = new Corrections();
    corrections.report('a', 2, 1);
    assert.equal(corrections.find('b'), undefined);
  });

  it('stay between 0.4 and 3, whatever is reported', () => {
    const ratios = fc.array(fc.double({ noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(ratios, (reported) => {
        const corrections = new Corrections();
        for (const ratio of reported) corrections.report('m', ratio, 1.1);
        const { factor = 0 } = corrections.find('m') ?? {};
        return factor >= 0.4 && factor <= 3;
      }),
    );
  });

  it('drop the model with the oldest report if there are too many', () => {
    const corrections = new Corrections();
    for (let i = 0; i < 500; i += 1) corrections.report(`m${i}`, 1.5, 1);
    corrections.report('m0', 1.5, 1);
    corrections.report('one more', 1.5, 1);
    assert.notEqual(corrections.find('m0'), undefined);
    assert.equal(corrections.find('m1'), undefined);
    assert.notEqual(corrections.find('m2'), undefined);
  });

  it('include the error of the last fifty counts', () => {
    const corrections = new Corrections();
    assert.equal(corrections.accuracy('m'), undefined);
    for (let nth = 0; nth < 50; nth += 1) corrections.report('m', 1, 1, 0.5);
    for (let nth = 0; nth < 50; nth += 1) corrections.report('m', 1, 1, 0.04);
    const { error = 0, reports } = corrections.accuracy('m') ?? {};
    assert.deepEqual([Math.round(error * 1000), reports], [40, 50]);
    const restored = new Corrections();
    restored.restore([...corrections.entries()]);
    assert.deepEqual(restored.accuracy('m'), corrections.accuracy('m'));
  });
});
