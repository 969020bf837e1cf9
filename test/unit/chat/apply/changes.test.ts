import assert from 'node:assert/strict';
import { removedItems } from '../../../../src/chat/apply/removedItems.ts';
import { pathInComment, suggestedText, suggestionsIn } from '../../../../src/chat/apply/suggestion.ts';
import { CHANGE_FORMS, CHANGES, type FileChange, type Shown } from '../../../fixtures/apply/changes.ts';

/** Where the user is asked. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  'without marks': [
    'src/shelf.ts',
    'report.py',
    'Basket.java',
    'Router.php',
    'Panel.vue',
    'deploy.yaml',
    'settings.json',
  ],
  // The end of the last one is that of a function, and what follows stays.
  'cut off': CHANGES.map(({ path }) => path).filter((path) => path !== 'build.sh'),
};
/** Where a whole type without a mark replaces the old one, so that the review names what goes. */
const REMOVES: Readonly<Record<string, readonly string[]>> = {
  'without marks': ['cache.rs: len', 'mailer.rb: initialize,log'],
};

/** What the file becomes; undefined if nothing is written without a question. */
function applied({ path, before }: FileChange, { code, fence }: Shown): string | undefined {
  const all = suggestionsIn(code, fence);
  const own = all.length === 1 ? all[0] : all.find((one) => one.kind === 'code' && pathInComment(one.code)[0] === path);
  const patched = own && suggestedText(before, own, path);
  return patched?.rejectedHunks.length === 0 ? patched.text : undefined;
}

/** The lines that the change keeps and the result lacks. */
function lost({ lines }: FileChange, result: string): readonly string[] {
  const known = new Set(result.split('\n'));
  return lines.flatMap(({ sign, text }) => (sign === ' ' && !known.has(text) ? [text] : []));
}

describe('changes in the shapes of real commits', () => {
  for (const [form, show] of Object.entries(CHANGE_FORMS)) {
    it(`become what they should, or ask: ${form}`, () => {
      const asks: string[] = [];
      const removes: string[] = [];
      for (const change of CHANGES) {
        const { path, before, after } = change;
        const { code, fence, isCut } = show(change);
        const result = applied(change, { code, fence });
        const removed = result === undefined ? [] : removedItems(before, result, path);
        if (result === undefined) asks.push(path);
        else if (isCut === true) assert.deepEqual(lost(change, result), [], path);
        else if (result !== after && removed.length > 0) removes.push(`${path}: ${removed.join()}`);
        else assert.equal(result, after, path);
      }
      assert.deepEqual({ asks, removes }, { asks: ASKS[form] ?? [], removes: REMOVES[form] ?? [] });
    });
  }
});
