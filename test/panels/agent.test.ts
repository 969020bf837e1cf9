/**
 * Agent runs in the panel, in a plain browser: what is shown and announced about steps, and what the run's header does.
 */
import assert from 'node:assert/strict';
import type { AnswerTurn } from '../../src/pages/chat/protocol.ts';
import { RUN, RUN_TURNS } from '../gallery/chat/agentSamples.ts';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { galleryForEach } from '../support/panels/galleryForEach.ts';

describe('an agent run in the chat', () => {
  const shown = galleryForEach({ viewport: { width: 340, height: 900 } });

  const composer = () => shown.page.getByRole('textbox', { name: 'Message' });
  const focused = () => shown.page.locator(':focus');
  const button = (name: string | RegExp) => shown.page.getByRole('button', { name });
  const steps = () => shown.page.getByRole('list', { name: 'Steps' });
  const said = () => shown.page.locator('main > .hidden-text[role="status"]');

  /** The last step of the sample run, whose command has ended. */
  function endedStep(): AnswerTurn {
    const last = RUN_TURNS.at(-1);
    assert.ok(last?.role === 'assistant');
    const [call] = last.toolCalls ?? [];
    assert.ok(call?.action !== undefined);
    const { output: _, at: __, ...action } = call.action;
    return { ...last, toolCalls: [{ ...call, action: { ...action, state: 'done', exitCode: 0, ms: 8000 } }] };
  }

  describe('the steps', () => {
    beforeEach(() => shown.gallery.show('agent-run'));

    it('are listed with their results and figures, initially the last six', async () => {
      // They are drawn late, all at once.
      const text = await steps().getByRole('listitem').nth(2).textContent();
      assert.equal(await steps().getByRole('listitem').count(), 6);
      for (const part of ['Edited', 'src/quote.ts', '+12', '−3', '31.0k in', '89% cached', '3.2k out', '$0.0694']) {
        assert.ok(text?.includes(part), part);
      }
      const read = await steps().getByRole('listitem').first().textContent();
      assert.ok(read?.includes('src/quote.ts, src/parcel.ts'));
    });

    it('expand to all steps and stay expanded when the thread is reloaded', async () => {
      const fold = button('6 earlier steps $0.133');
      assert.equal(await fold.getAttribute('aria-expanded'), 'false');
      await fold.press('Enter');
      await steps().getByRole('listitem').nth(11).waitFor();
      await shown.gallery.tell({ type: 'turns', from: 0, turns: RUN_TURNS });
      await steps().getByRole('listitem').nth(11).waitFor();
      await fold.press('Enter');
      await steps().getByRole('listitem').nth(6).waitFor({ state: 'detached' });
    });

    it('show the last six lines of a failed command, and all lines on click', async () => {
      const failed = steps().getByRole('listitem').nth(3);
      const output = failed.locator('.output-line');
      assert.equal(await output.count(), 6);
      assert.equal(
        (await output.first().textContent())?.trim(),
        '✓ a light parcel costs the minimum price of its zone',
      );
      await failed.getByRole('button', { name: /^Ran npm test/ }).click();
      assert.match((await output.first().textContent()) ?? '', /^> node --test/);
      assert.equal(await failed.getByRole('button').getAttribute('aria-expanded'), 'true');
    });

    it('show other results only on click', async () => {
      const edited = steps().getByRole('listitem').nth(2);
      assert.equal(await edited.locator('.output').count(), 0);
      await edited.getByRole('button', { name: /^Edited src\/quote\.ts/ }).press('Enter');
      assert.equal((await edited.locator('.output').textContent())?.trim(), 'Result of src/quote.ts');
    });

    it('show the terminal of the running command and cancel the command', async () => {
      await button('Show Terminal').click();
      assert.deepEqual(await shown.gallery.awaitPosted('showTerminal'), {
        type: 'showTerminal',
        callId: 'call-12-0',
      });
      await button('Cancel Command').click();
      assert.deepEqual(await shown.gallery.awaitPosted('cancelCommand'), {
        type: 'cancelCommand',
        callId: 'call-12-0',
      });
    });

    it('are announced once each when they finish', async () => {
      await shown.gallery.tell({ type: 'turnChanged', turn: endedStep() });
      await said().getByText('Step 12, npm test, exit 0, 4 cents', { exact: true }).waitFor();
      await button('Cancel Command').waitFor({ state: 'detached' });
    });

    it('are navigated with the arrow keys', async () => {
      await shown.page.getByRole('article', { name: 'Step 12' }).focus();
      await shown.page.keyboard.press('ArrowUp');
      await shown.page.getByRole('article', { name: 'Step 11' }).and(focused()).waitFor();
    });
  });

  it('allows an action denied by the user, but not one denied by a rule', async () => {
    await shown.gallery.show('agent-denied');
    // The steps are drawn late, all at once.
    await shown.page.getByText('It deletes files outside the workspace.').waitFor();
    assert.equal(await button('Allow Once').count(), 1);
    await button('Allow Once').click();
    assert.deepEqual(await shown.gallery.awaitPosted('allowOnce'), { type: 'allowOnce', callId: 'call-2-0' });
  });

  it('shows the images that a tool has returned', async () => {
    await shown.gallery.show('agent-mixed');
    await shown.page.getByRole('img', { name: 'Preview of page_screenshot' }).waitFor();
  });

  it('ends with a report of the run’s totals and offers to restore the earlier state', async () => {
    await shown.gallery.show('agent-done');
    await shown.page.getByText('13 steps', { exact: true }).waitFor();
    await shown.page.locator('.run-checks .good').getByText('npm test').waitFor();
    // The row above the composer has them.
    assert.equal(await shown.page.getByText('2 files changed').count(), 1);
    await button('Restore to Before This Turn…').click();
    assert.deepEqual(await shown.gallery.awaitPosted('restoreRun'), { type: 'restoreRun', runId: RUN.id });
    assert.equal(await button('Stop').count(), 0);
  });

  it('scrolls to the turn of a run that is opened from the Usage view', async () => {
    await shown.gallery.show('agent-run');
    const question = shown.page.locator(`[data-turn="${RUN.id}"]`);
    await shown.gallery.tell({ type: 'showTurn', turnId: RUN.id });
    await question.and(focused()).waitFor();
    assert.equal(await question.evaluate((element) => element.getBoundingClientRect().bottom > 0), true);
  });

  it('asks in a card what to restore, and lists what will be lost', async () => {
    await shown.gallery.show('agent-restore');
    const card = shown.page.getByRole('alertdialog', { name: 'Restore to before this turn' });
    await card.getByText('3 files are restored').waitFor();
    await card.getByText('test/quote.test.ts').waitFor();
    await card.getByText('You edited README.md after the run.').waitFor();
    await card.getByRole('checkbox', { name: /^Files/ }).uncheck();
    await card.getByText('You edited README.md after the run.').waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Restore', exact: true }).click();
    assert.deepEqual(await shown.gallery.awaitPosted('confirmRestore'), {
      type: 'confirmRestore',
      files: false,
      chat: true,
    });
  });

  describe('the header', () => {
    beforeEach(() => shown.gallery.show('agent-run'));

    it('shows the state, and the bar in the warning color from 80%', async () => {
      const bar = shown.page.getByRole('meter', { name: 'Run cap' });
      assert.equal(await bar.getAttribute('aria-valuetext'), '42 cents of 1 dollar');
      assert.equal(await bar.getAttribute('class'), 'run-bar');
      await shown.gallery.tell({ type: 'change', change: { run: { ...RUN, spent: 0.8 } } });
      await shown.page.locator('.run-bar.near').waitFor();
      await shown.page.getByText('Step 12 of 50', { exact: true }).waitFor();
      await shown.page.getByText('2 min 41 s', { exact: true }).waitFor();
    });

    it('stops the run', async () => {
      await button('Stop').click();
      await shown.gallery.awaitPosted('stop');
      await composer().and(focused()).waitFor();
    });

    it('changes the limits and closes them with Escape', async () => {
      await button(/Limits for this run/).click();
      const cap = shown.page.getByRole('spinbutton', { name: 'Run cap, in $' });
      await cap.and(focused()).waitFor();
      await cap.fill('2.5');
      await cap.press('Tab');
      assert.deepEqual(await shown.gallery.awaitPosted('setLimits'), { type: 'setLimits', cap: 2.5 });
      const each = shown.page.getByRole('spinbutton', { name: 'Step cap, in $' });
      await each.fill('0.2');
      await each.press('Escape');
      await each.waitFor({ state: 'detached' });
      await eventuallyEqual<unknown>(() => shown.gallery.lastPosted('setLimits'), { type: 'setLimits', stepCap: 0.2 });
      await composer().and(focused()).waitFor();
    });

    it('removes a cap if its field is empty, but requires a number of steps', async () => {
      await button(/Limits for this run/).click();
      const cap = shown.page.getByRole('spinbutton', { name: 'Run cap, in $' });
      await cap.fill('');
      const count = shown.page.getByRole('spinbutton', { name: 'Steps' });
      await count.fill('');
      await count.press('Enter');
      await count.waitFor({ state: 'detached' });
      const set = (await shown.gallery.posted()).filter(({ type }) => type === 'setLimits');
      assert.deepEqual(set, [{ type: 'setLimits', cap: 0 }]);
    });
  });

  describe('a summary of its steps', () => {
    const text = () => shown.page.getByRole('textbox', { name: 'Summary text' });

    beforeEach(() => shown.gallery.show('agent-summary'));

    it('shows the model that wrote it and its cost', async () => {
      const card = (await shown.page.getByRole('region', { name: 'Summary', exact: true }).textContent()) ?? '';
      for (const part of ['familya-haiku-4.5, edited', 'its type allows', '162k in', '$0.164'])
        assert.ok(card.includes(part), `${part} in ${card}`);
    });

    it('can be edited, and returns the focus', async () => {
      await button('Edit Summary').click();
      await text().and(focused()).waitFor();
      await text().fill('Only the tests are left.');
      await button('Save').click();
      assert.deepEqual(await shown.gallery.awaitPosted('editSummary'), {
        type: 'editSummary',
        turnId: 's10',
        text: 'Only the tests are left.',
      });
      await button('Edit Summary').and(focused()).waitFor();
    });

    it('is unchanged after Escape, and cannot be empty', async () => {
      await button('Edit Summary').click();
      await text().fill(' ');
      await button('Save').press('Enter');
      await text().press('Escape');
      await text().waitFor({ state: 'detached' });
      assert.equal(await shown.gallery.lastPosted('editSummary'), undefined);
    });

    it('has a model that is chosen in the menu of the run', async () => {
      await button(/Limits for this run/).click();
      const model = shown.page.getByRole('combobox', { name: 'Summary model' });
      assert.equal(await model.inputValue(), 'familya-haiku-4.5');
      await model.selectOption({ label: 'The chat’s model' });
      assert.deepEqual(await shown.gallery.awaitPosted('setSummaryModel'), { type: 'setSummaryModel', model: '' });
    });
  });

  describe('keyboard shortcuts', () => {
    beforeEach(() => shown.gallery.show('agent-run'));

    for (const key of ['Control+Escape', 'Meta+Escape']) {
      it(`stop the run from anywhere: ${key}`, async () => {
        await shown.page.getByRole('article', { name: 'Step 12' }).press(key);
        await shown.gallery.awaitPosted('stop');
      });
    }

    it('do not stop the run with Escape alone', async () => {
      await composer().press('Escape');
      await composer().press('x');
      await eventually('the draft', async () => (await shown.gallery.lastPosted('draft')) !== undefined);
      assert.equal(await shown.gallery.lastPosted('stop'), undefined);
    });

    it('add a message for the next step with Enter, without a second Stop button', async () => {
      assert.equal(await composer().getAttribute('placeholder'), 'Add a message for the next step');
      assert.equal(await button('Stop').count(), 1);
      await composer().fill('Use tabs.');
      await composer().press('Enter');
      assert.deepEqual(await shown.gallery.awaitPosted('addMessage'), { type: 'addMessage', text: 'Use tabs.' });
      assert.equal(await composer().inputValue(), '');
    });
  });

  describe('the plan', () => {
    beforeEach(() => shown.gallery.show('agent-run'));

    const plan = () => shown.page.getByRole('region', { name: 'Plan' });
    const items = () => shown.page.getByRole('textbox', { name: 'Plan item' });

    it('collapses, and states the status of each item', async () => {
      assert.equal(await plan().getByRole('listitem').nth(3).textContent(), 'Make the tests pass, current');
      await button('Plan 3 of 5').press('Enter');
      await plan().getByRole('listitem').first().waitFor({ state: 'detached' });
    });

    it('has no current item and no count of what is left once the run is done', async () => {
      await shown.gallery.show('agent-done');
      const open = [
        { text: 'Read the code', state: 'current' },
        { text: 'Change it', state: 'open' },
      ] as const;
      await shown.gallery.tell({ type: 'change', change: { run: { ...RUN, state: 'done', plan: open } } });
      await plan().getByText('Read the code').waitFor();
      assert.equal(
        await plan()
          .getByText(/ of \d/)
          .count(),
        0,
      );
      assert.equal(await plan().locator('[aria-current]').count(), 0);
    });

    it('can be edited: text, state, and removed and added items', async () => {
      await button('Edit Plan').click();
      await items().first().fill('Read everything');
      await button('State: current').click();
      await button('Remove Note the change in README.md').click();
      await button('Add Item').click();
      await items().nth(4).and(focused()).waitFor();
      await shown.page.keyboard.type('Publish');
      await shown.page.keyboard.press('Enter');
      assert.deepEqual(await shown.gallery.awaitPosted('setPlan'), {
        type: 'setPlan',
        plan: [
          { text: 'Read everything', state: 'done' },
          { text: 'Find callers that pass no weight', state: 'done' },
          { text: 'Reject a weight of zero or less', state: 'done' },
          { text: 'Make the tests pass', state: 'done' },
          { text: 'Publish', state: 'open' },
        ],
      });
      await plan().getByText('4 of 5').waitFor();
      await button('Edit Plan').and(focused()).waitFor();
    });

    it('is unchanged after Escape', async () => {
      await button('Edit Plan').click();
      await items().first().fill('Something else');
      await items().first().press('Escape');
      await plan().getByText('Read the quote functions and their tests').waitFor();
      assert.equal(await shown.gallery.lastPosted('setPlan'), undefined);
    });
  });

  it('shows its changes for review', async () => {
    await shown.gallery.show('agent-run');
    await shown.page.getByRole('region', { name: 'Changed files' }).getByText('2 files changed').waitFor();
    await button('Review').click();
    await shown.gallery.awaitPosted('reviewChanges');
  });

  it('shows the estimate of its next step in the meter, without a breakdown', async () => {
    await shown.gallery.show('agent-run');
    const meter = shown.page.getByRole('meter', { name: 'Request size' });
    assert.match(
      (await meter.getAttribute('aria-valuetext')) ?? '',
      /^Next step: about 43,200 tokens, 91 percent cached/,
    );
    assert.equal(await shown.page.getByTitle('Request breakdown').count(), 0);
    await shown.gallery.tell({ type: 'change', change: { run: { ...RUN, state: 'done' } } });
    await shown.page.getByTitle('Request breakdown').waitFor();
  });

  describe('the mode', () => {
    it('is selected with the keyboard and shown on its button', async () => {
      await shown.gallery.show('conversation');
      await button('Mode: Ask').press('Enter');
      await shown.page.getByRole('listbox', { name: 'Mode' }).and(focused()).waitFor();
      await shown.page.keyboard.press('ArrowDown');
      await shown.page.keyboard.press('Enter');
      assert.deepEqual(await shown.gallery.awaitPosted('setMode'), { type: 'setMode', mode: 'agent' });
      await button('Mode: Agent').waitFor();
      assert.equal(await composer().getAttribute('placeholder'), 'Describe a task, or type @ to attach');
      await composer().and(focused()).waitFor();
    });

    it('has a switch for reviewing before writing, which is shown on the button when it is on', async () => {
      await shown.gallery.show('mode');
      const review = shown.page.getByRole('switch', { name: /^Review Before Writing/ });
      assert.equal(await review.getAttribute('aria-checked'), 'true');
      await button('Mode: Agent, Review Before Writing').getByText('Agent, review').waitFor();
      await shown.page.getByRole('option', { name: /^Agent/, selected: true }).click();
      await button('Mode: Agent, Review Before Writing').click();
      await review.press('Space');
      assert.deepEqual(await shown.gallery.awaitPosted('setMode'), { type: 'setMode', mode: 'agent' });
      await button('Mode: Agent').waitFor();
      assert.equal(await review.getAttribute('aria-checked'), 'false');
      await shown.page.keyboard.press('Escape');
      await shown.gallery.tell({ type: 'change', change: { mode: 'ask' } });
      await button('Mode: Ask').click();
      await shown.page.getByRole('listbox', { name: 'Mode' }).waitFor();
      assert.equal(await review.count(), 0);
    });

    it('requires a model that supports tools', async () => {
      await shown.gallery.show('agent-no-tools');
      await shown.page.getByRole('heading', { name: 'familya-sonnet-4.6 cannot use tools' }).waitFor();
      await button('Use another model').click();
      await shown.page.getByRole('combobox', { name: 'Choose a model' }).press('Escape');
      await button('Switch to Ask').click();
      assert.deepEqual(await shown.gallery.awaitPosted('setMode'), { type: 'setMode', mode: 'ask' });
      await button('Switch to Ask').waitFor({ state: 'detached' });
    });

    it('is hidden if the agent cannot act', async () => {
      await shown.gallery.show('conversation');
      await button('Mode: Ask').waitFor();
      await shown.gallery.tell({ type: 'change', change: { canAct: false } });
      await button('Mode: Ask').waitFor({ state: 'detached' });
    });

    it('is visible in the narrowest panel, beside four letters of the model', async () => {
      await shown.page.setViewportSize({ width: 220, height: 640 });
      await shown.gallery.show('conversation');
      const model = await shown.page.locator('.picker-button[data-opens="models"] .picker-text').boundingBox();
      assert.ok(model !== null && model.width >= 24, JSON.stringify(model));
      await button('Mode: Ask').click();
      await shown.page.getByRole('option', { name: /^Agent(?!,)/ }).click();
      assert.deepEqual(await shown.gallery.awaitPosted('setMode'), { type: 'setMode', mode: 'agent' });
    });
  });
});
