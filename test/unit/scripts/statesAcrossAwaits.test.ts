import assert from 'node:assert/strict';
import { statesIn } from '../../../scripts/lib/statesAcrossAwaits.ts';

/** The fields that are found in the body of a method. */
function found(body: string): readonly string[] {
  const source = `class Store {
    #items = 0;
    readonly #known = new Map();
    async load() { ${body} }
  }`;
  return statesIn('store.ts', source).map(({ name }) => name.replace('store.ts Store.load ', ''));
}

describe('the states that are written after an await', () => {
  it('are found if they were read before it', () => {
    assert.deepEqual(found('if (this.#items > 0) return; await read(); this.#items = 1;'), ['#items']);
    assert.deepEqual(found('const { length } = [this.#items]; for await (const one of all) {} this.#items = length;'), [
      '#items',
    ]);
    assert.deepEqual(found('if (this.#known.has(1)) return; this.#known.set(1, await read());'), ['#known']);
  });

  it('are not found if they were claimed, or looked at again', () => {
    assert.deepEqual(found('if (this.#items > 0) return; this.#items = 1; await read(); this.#items = 0;'), []);
    assert.deepEqual(found('const a = this.#items; await read(); if (a === this.#items) this.#items = 1;'), []);
    assert.deepEqual(found('const a = this.#items; await read(); this.#items += a;'), []);
  });

  it('are not found where nothing is awaited in between, or only in a function of its own', () => {
    assert.deepEqual(found('await read(); if (this.#items > 0) this.#items = 1;'), []);
    assert.deepEqual(found('const a = this.#items; const b = async () => { await read(); }; this.#items = 1;'), []);
  });

  it('name the file, the class, the method, and the line', () => {
    const source = 'class Store {\n#a = 0;\nasync #load() {\nif (this.#a) return;\nthis.#a = await read();\n}\n}';
    assert.deepEqual(statesIn('src/store.ts', source), [{ name: 'src/store.ts Store.#load #a', line: 5 }]);
  });
});
