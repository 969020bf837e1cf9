/** A run that changes files on disk, while a person reviews and restores them, in any order of what is done and awaited. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { ChatEvent } from '../../../src/formats/answer.ts';
import type { ReviewDecision } from '../../../src/pages/agentReview/protocol.ts';
import { AnyOrder, moments, type Step } from '../../support/anyOrder.ts';
import { ChatWindow, type ServedRequest } from '../../support/chatWindow.ts';
import { diskFiles } from '../../support/editorApi/diskFiles.ts';
import { Uri, workspace } from '../../support/editorApi/vscode.ts';
import { toolCall } from '../../support/helpersModel.ts';
import { schedules } from '../../support/randomRuns.ts';

const ACTIONS = [
  ...(['send', 'send', 'allow', 'allow', 'allow', 'allow', 'deny', 'stop', 'continue', 'allowDenied'] as const),
  ...(['type', 'type', 'review', 'accept', 'discard', 'acceptAndDiscard', 'undo', 'askToRestore', 'restore'] as const),
  'undoRestore' as const,
];
type Action = (typeof ACTIONS)[number];

const LINES = Array.from({ length: 12 }, (_, number) => `line ${number}:\n`);
/** The lines that the agent edits, and the person's, far enough from each other to be changes of their own. */
const [FIRST, PERSONS, LAST] = ['line 1:', 'line 6:', 'line 11:'] as const;
const ORIGINAL: Readonly<Record<string, string>> = { 'lines.txt': LINES.join(''), 'old.txt': 'old\n' };

/** The calls of a run, by the number of its question. */
function callsOf(number: number): readonly (readonly [name: string, args: object])[] {
  const edit = (line: string) =>
    ['edit_file', { path: 'lines.txt', edits: [{ old_text: line, new_text: `${line} <${number}>` }] }] as const;
  const command = [
    'run_command',
    { command: `echo '<${number}>' >> log.txt; echo '${number}' >> ../ran.txt` },
  ] as const;
  const create = ['create_file', { path: `new-${number}.txt`, content: `<${number}>\n` }] as const;
  const remove = ['delete_file', { path: 'old.txt' }] as const;
  const rename = ['rename_file', { path: 'old.txt', new_path: `old-${number}.txt` }] as const;
  const deploy = ['deploy', { number }] as const;
  const all = [
    [edit(FIRST), command],
    [create, edit(LAST)],
    [remove, deploy],
    [command, rename],
    [edit(LAST), edit(FIRST)],
  ] as const;
  return all[number % all.length] ?? [];
}

class Person {
  readonly window: ChatWindow;
  readonly #order: AnyOrder;
  readonly #root: string;
  readonly #allowed = new Set<string>();
  #sent = 0;
  typed = 0;
  #restores = 0;
  /** What was asked while files were restored, which a run would change meanwhile. */
  readonly askedMeanwhile: string[] = [];

  /** @param root a folder with the folder of the workspace in it. */
  constructor(order: AnyOrder, root: string, reviewsFirst: boolean) {
    this.#order = order;
    this.#root = root;
    this.window = new ChatWindow({
      delay: order.delay,
      checkpoints: join(root, 'checkpoints'),
      settings: { agentReviewsFirst: reviewsFirst },
      agentTools: { deploy: (input) => this.#deploy(input) },
      answer: (request) => this.#answer(request),
    });
  }

  step(action: Action, number: number): Step {
    return { what: `${action} ${number}`, act: () => this.#do(action) };
  }

  #do(action: Action): unknown {
    const { window } = this;
    const { chat, undo } = window.session;
    const { turns, runs } = chat;
    switch (action) {
      case 'send':
        this.#sent += 1;
        return turns.send(`Do <${this.#sent}>.`);
      case 'allow':
      case 'deny':
        return this.#decide(action);
      case 'stop':
        return window.session.chat.stop();
      case 'continue':
        return runs.receive({ type: 'continueRun' });
      case 'allowDenied':
        return this.#allowDenied();
      case 'type':
        return this.#type();
      case 'review':
        return runs.receive({ type: 'reviewChanges' });
      case 'accept':
        return this.#decideAll('accepted');
      case 'discard':
        return this.#decideAll('discarded');
      case 'acceptAndDiscard':
        return Promise.all([this.#decideAll('accepted'), this.#decideAll('discarded')]);
      case 'undo': {
        const decided = (window.reviewed?.files ?? []).flatMap(({ file, blocks }) =>
          blocks.flatMap((block) => (block.type === 'decided' ? [{ file, id: block.id }] : [])),
        );
        const last = decided.at(-1);
        return last && window.review({ type: 'undo', ...last });
      }
      case 'askToRestore':
        return this.#askToRestore();
      case 'restore':
        return runs.view?.restore === undefined ? this.restore() : this.#confirm();
      case 'undoRestore': {
        const notice = window.posted.findLast(({ type }) => type === 'notice');
        return notice?.type === 'notice' ? undo.undo(notice.notice.id) : undefined;
      }
    }
  }

  #decide(action: 'allow' | 'deny'): unknown {
    const { runs } = this.window.session.chat;
    const question = runs.view?.question;
    if (question?.type !== 'approval') return undefined;
    if (action === 'allow') this.#allowed.add(question.callId);
    return runs.receive({
      type: 'decide',
      question: question.number,
      choice: action === 'allow' ? 'once' : 'deny',
    });
  }

  #allowDenied(): unknown {
    const { conversation, runs } = this.window.session.chat;
    const calls = conversation.value.entries.flatMap((entry) =>
      entry.role === 'assistant' ? (entry.toolCalls ?? []) : [],
    );
    const callId = calls.findLast(({ action }) => action?.denied?.by === 'user')?.id;
    if (callId === undefined) return undefined;
    this.#allowed.add(callId);
    return runs.receive({ type: 'allowOnce', callId });
  }

  /** Opens the review of the last run, and decides on all of its changes. */
  async #decideAll(decision: ReviewDecision): Promise<void> {
    await this.window.session.chat.runs.receive({ type: 'reviewChanges' });
    await this.window.review({ type: 'decideAll', decision });
  }

  #type(): void {
    const path = join(this.#root, 'work', 'lines.txt');
    writeFileSync(path, readFileSync(path, 'utf8').replace(PERSONS, `${PERSONS}!`));
    this.typed += 1;
  }

  /** Restores the files to what they were before the first run. */
  async restore(): Promise<void> {
    await this.#askToRestore();
    await this.#confirm();
  }

  async #askToRestore(): Promise<void> {
    const { conversation, runs } = this.window.session.chat;
    const first = conversation.value.entries.find((entry) => entry.role === 'assistant' && entry.run !== undefined);
    if (first?.role !== 'assistant' || first.run === undefined) return;
    await runs.receive({ type: 'restoreRun', runId: first.run });
  }

  async #confirm(): Promise<void> {
    this.#restores += 1;
    try {
      await this.window.session.chat.runs.receive({ type: 'confirmRestore', files: true, chat: false });
    } finally {
      this.#restores -= 1;
    }
  }

  /** A model that makes the calls of the question one after the other, and then reports. */
  async *#answer({ request, text }: ServedRequest): AsyncGenerator<ChatEvent> {
    if (this.#restores > 0) this.askedMeanwhile.push(text);
    await this.#order.delay('answer');
    const written = JSON.stringify(request.messages);
    const number = Number([...written.matchAll(/Do <(\d+)>/g)].at(-1)?.[1]);
    const done = callsOf(number).findIndex((_, nth) => !written.includes(`"${idOf(number, nth)}"`));
    const call = callsOf(number)[done];
    if (call === undefined) yield { type: 'textDelta', index: 0, text: 'Done.' };
    else yield* toolCall(idOf(number, done), ...call);
    yield { type: 'finish', reason: 'stop' };
  }

  /** A tool of another extension that writes into the workspace. */
  async #deploy(input: object): Promise<string> {
    await this.#order.delay('deploy');
    const { number } = input as { readonly number: number };
    appendFileSync(join(this.#root, 'work', 'deployed.txt'), `<${number}>\n`);
    appendFileSync(join(this.#root, 'ran.txt'), `${number}\n`);
    return 'deployed';
  }

  /** Whether the run waits for the person. */
  get isWaiting(): boolean {
    return this.window.session.chat.runs.view?.state === 'waiting';
  }

  /** What the page says of a new file is so. */
  checkDecided(): void {
    const created = (this.window.reviewed?.files ?? []).filter(({ change }) => change === 'created');
    for (const { name, blocks } of created) {
      const [block, ...others] = blocks;
      if (block?.type !== 'decided' || others.length > 0) continue;
      assert.equal(
        name in filesIn(join(this.#root, 'work')),
        block.decision === 'accepted',
        `${name} is ${block.decision}`,
      );
    }
  }

  /** Each command, and each tool of another extension, has run once if it was allowed, and not otherwise. */
  checkRan(): void {
    // A command that was stopped may have opened the file without writing into it.
    const ran = filesIn(this.#root)['ran.txt']?.match(/\S+/g) ?? [];
    assert.equal(new Set(ran).size, ran.length, `ran twice: ${ran.join(', ')}`);
    const allowed = [...this.#allowed].map((id) => id.split('-')[1]);
    assert.deepEqual(
      ran.filter((number) => !allowed.includes(number)),
      [],
      'ran without being allowed',
    );
  }
}

const idOf = (number: number, nth: number) => `call-${number}-${nth}`;

/** The texts of the files in a folder. */
function filesIn(folder: string): Readonly<Record<string, string>> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]));
}

describe('runs that change files, in any order of what is done and awaited', () => {
  const { fs, workspaceFolders } = workspace;
  let parent: string;

  before(() => {
    parent = mkdtempSync(join(tmpdir(), 'agent-files-'));
  });
  after(() => {
    Object.assign(workspace, { fs, workspaceFolders });
    rmSync(parent, { recursive: true });
  });

  it('run what was allowed once, keep what the person types, and leave nothing behind once they are restored', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        moments(fc.constantFrom(...ACTIONS)),
        fc.boolean(),
        async (scheduler, done, reviewsFirst) => {
          const root = mkdtempSync(join(parent, 'run-'));
          const work = join(root, 'work');
          mkdirSync(work);
          for (const [name, text] of Object.entries(ORIGINAL)) writeFileSync(join(work, name), text);
          const order = new AnyOrder(scheduler);
          Object.assign(workspace, {
            fs: diskFiles(order.delay),
            workspaceFolders: [{ uri: Uri.file(work), name: 'work', index: 0 }],
          });
          const person = new Person(order, root, reviewsFirst);
          const finished = async (...steps: readonly Step[]) => {
            for (const step of steps) order.plan([step]);
            await order.run(undefined, { mayWait: () => person.isWaiting });
          };
          await finished({ what: 'agent', act: () => person.window.session.chat.chooseMode('agent') });
          for (const together of [['send'] as const, ...done])
            await finished(...together.map((action, number) => person.step(action, number)));
          person.window.chats.stopAll();
          await finished();
          person.checkRan();
          assert.deepEqual(person.askedMeanwhile, [], 'a run has begun while files were restored');
          person.window.reviewed = undefined;
          order.plan([person.step('review', 0)]);
          await order.run(undefined, { mayWait: () => true });
          person.checkDecided();
          const typed = (filesIn(work)['lines.txt'] ?? '').split('!').length - 1;
          if (!done.flat().includes('restore')) assert.equal(typed, person.typed, 'what the person has typed was lost');
          const before = filesIn(work);
          await finished({ what: 'restore', act: () => person.restore() });
          const { 'lines.txt': lines = '', ...others } = filesIn(work);
          assert.deepEqual({ 'lines.txt': lines.replaceAll('!', ''), ...others }, ORIGINAL, 'something is left');
          await finished(person.step('undoRestore', 0));
          assert.deepEqual(filesIn(work), before, 'undoing the restore gives something else');
          // A decision of the review meets a restore.
          for (const error of order.errors) assert.match(String(error), /was edited in the meantime/);
          assert.deepEqual(person.window.failures, [], 'something has failed');
          person.window.session.dispose();
          rmSync(root, { recursive: true });
        },
      ),
      { numRuns: schedules(40) },
    );
  });
});
