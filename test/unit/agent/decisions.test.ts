import assert from 'node:assert/strict';
import { Decisions } from '../../../src/agent/decisions.ts';

describe('the decisions of a run', () => {
  const { signal } = new AbortController();
  const question = (object: string) =>
    ({
      type: 'approval',
      callId: 'call_0',
      action: { kind: 'command', state: 'waiting', object },
      choices: [],
    }) as const;
  const numberOf = ({ question: open }: Decisions) => (open?.type === 'approval' ? open.number : assert.fail());

  it('apply to the question that was answered, also if the model gives two calls the same ID', async () => {
    const decisions = new Decisions(() => undefined);
    const first = decisions.ask(question('ls'), signal);
    const late = numberOf(decisions);
    decisions.answerCall(late, 'once');
    assert.equal(await first, 'once');
    const second = decisions.ask(question('rm -rf .'), signal);
    decisions.answerCall(late, 'once');
    decisions.answerCall(numberOf(decisions), 'deny');
    assert.equal(await second, 'deny');
  });

  it('are asked for one after the other if two calls wait for them', async () => {
    const decisions = new Decisions(() => undefined);
    const first = decisions.ask(question('ls'), signal);
    const shown = numberOf(decisions);
    const second = decisions.ask(question('pwd'), signal);
    assert.equal(numberOf(decisions), shown);
    decisions.answerCall(shown, 'once');
    assert.equal(await first, 'once');
    assert.notEqual(numberOf(decisions), shown);
    decisions.answerCall(numberOf(decisions), 'deny');
    assert.equal(await second, 'deny');
    assert.equal(decisions.question, undefined);
  });

  it('are not asked for if another one has made them known', async () => {
    const decisions = new Decisions(() => undefined);
    let isKnown = false;
    const first = decisions.ask(question('ls'), signal);
    const second = decisions.ask(question('ls'), signal, () => (isKnown ? 'once' : undefined));
    const third = decisions.ask(question('pwd'), signal, () => undefined);
    decisions.answerKnown();
    decisions.answerCall(numberOf(decisions), 'chat');
    assert.equal(await first, 'chat');
    isKnown = true;
    decisions.answerKnown();
    assert.equal(await second, 'once');
    decisions.answerCall(numberOf(decisions), 'deny');
    assert.equal(await third, 'deny');
  });

  it('do not apply to a question of another run', async () => {
    const [earlier, later] = [new Decisions(() => undefined), new Decisions(() => undefined)];
    void earlier.ask(question('ls'), signal);
    const asked = later.ask(question('rm -rf .'), signal);
    later.answerCall(numberOf(earlier), 'once');
    later.answerCall(numberOf(later), 'deny');
    assert.equal(await asked, 'deny');
  });
});
