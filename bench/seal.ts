/**
 * Measures the CPU time that the search for secrets takes: in a new body, in a step of a conversation that is known, and
 * in bodies that are made to be slow.
 */
import { BodySealer } from '../src/secrets/bodySealer.ts';
import { locateSecrets } from '../src/secrets/secretFinder.ts';
import { StandIns } from '../src/secrets/standIns.ts';
import { ALMOST_SECRETS } from '../test/support/almostSecrets.ts';
import { ContextScript, SHAPES } from '../test/support/contextScripts.ts';

const MEGABYTE = 1_000_000;
const KNOWN_BYTES = 374_000;
const STEP_BYTES = 20_000;
const ROUNDS = 40;
const TOKEN = `ghp_${'a1B2c3D4e'.repeat(4)}`;
const [shape] = SHAPES;
if (shape === undefined) throw new Error('There is no client.');

const newSealer = () => new BodySealer({ standIns: new StandIns(Buffer.alloc(32, 1)), find: locateSecrets });

function conversation(seed: number, bytes: number): ContextScript {
  const script = new ContextScript(shape as NonNullable<typeof shape>, seed);
  script.session.ask(`Deploy it with ${TOKEN}.`);
  while (script.session.request().length < bytes) for (let step = 0; step < 20; step++) script.work();
  return script;
}

/** Prints the mean CPU time, which does not depend on what else the machine does. */
async function report(
  name: string,
  bodies: readonly Buffer[],
  seal: (body: Buffer) => Promise<unknown>,
): Promise<void> {
  const start = process.cpuUsage();
  for (const body of bodies) await seal(body);
  const { user, system } = process.cpuUsage(start);
  console.log(`${name}: ${((user + system) / 1000 / bodies.length).toFixed(1)} ms`);
}

const whole = Buffer.from(conversation(1, MEGABYTE).session.request());
const inNew = (body: Buffer) => newSealer().seal(body);
await report('Warm-up', [whole, whole, whole], inNew);
await report(
  'A new megabyte',
  Array.from({ length: ROUNDS }, () => whole),
  inNew,
);

const known = conversation(2, KNOWN_BYTES);
const sealer = newSealer();
await sealer.seal(Buffer.from(known.session.request()));
const { messages, ...others } = JSON.parse(known.session.request().toString());
const steps = Array.from({ length: ROUNDS }, () =>
  Buffer.from(
    JSON.stringify({ ...others, messages: [...messages, { role: 'user', content: known.prose(STEP_BYTES) }] }),
  ),
);
await report('A step of 20 KB', steps, (body) => sealer.seal(body));

const many = Array.from({ length: MEGABYTE / 50 }, (_, at) => `ghp_${`a1B2c3D4${at + 10_000}`.repeat(3)}`);
await report(`${many.length} secrets in a megabyte`, [Buffer.from(JSON.stringify(many))], inNew);
for (const [name, text] of ALMOST_SECRETS) {
  await report(
    `A megabyte of ${name}`,
    [Buffer.from(JSON.stringify({ text: text.repeat(MEGABYTE / text.length) }))],
    inNew,
  );
}
