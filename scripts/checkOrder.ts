/**
 * Finds private fields that a method reads before an `await` and writes after it: in between, another call may have
 * changed them. Claim first (`src/editor/claim.ts`), look again before the write, or do one call after the other
 * (`src/editor/workQueue.ts`).
 *
 *     npm run check:order
 */
import { statesAcrossAwaits } from './lib/statesAcrossAwaits.ts';

/** Where nothing can go wrong, and why. */
const REVIEWED: Readonly<Record<string, string>> = {
  'packages/gateway/src/cli/configReload.ts ConfigReload.#apply #current': 'One look at the file follows another.',
  'packages/gateway/src/cli/configReload.ts ConfigReload.#apply #problem': 'One look at the file follows another.',
  'src/chat/conversation/conversationImages.ts ConversationImages.loadFile #data':
    'A name is derived from its content.',
  'src/chat/conversation/conversationStore.ts ConversationStore.append #begun': 'One append follows another.',
  'src/chat/conversation/liveConversation.ts LiveConversation.#readOn #read': 'catchUp has it run once at a time.',
  'src/editor/chat/apply/fileProposal.ts FileProposal.undo #pair': 'One action on the proposals follows another.',
  'src/editor/chat/context/contextSizes.ts ContextSizes.#count #counted': 'A cache of what the file has at that time.',
  'src/editor/chat/parameters/chatParameters.ts ChatParameters.loadFormats #formats': 'The module is the same one.',
  'src/editor/inlineSuggestions/suggestionFigures.ts SuggestionFigures.#read #sums': 'Adds what has ended meanwhile.',
  'src/editor/rows/rowView.ts RowTree.getChildren #ready': 'Newer rows make the tree ask again.',
  'src/gateway/core/callerRequest.ts CallerRequest.read #json': 'A request is read once.',
  'src/gateway/sharing/ownGateway.ts OwnGateway.#setUpstream #upstream': 'One command of the worker follows another.',
  'src/gateway/sharing/sharedGateway.ts SharedGateway.#hidePresence #presence':
    'One command of the worker follows another.',
};

const found = await statesAcrossAwaits();
const names = new Set(found.map(({ name }) => name));
const open = found.filter(({ name }) => REVIEWED[name] === undefined);
for (const { name, line } of open) console.error(`${name}: line ${line} writes what was read before an await`);
const outdated = Object.keys(REVIEWED).filter((name) => !names.has(name));
for (const name of outdated) console.error(`${name}: is no longer found, so its exception can be removed`);
if (open.length + outdated.length > 0) process.exitCode = 1;
else console.log(`${found.length} reviewed states across awaits`);
