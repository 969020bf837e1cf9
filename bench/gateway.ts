/**
 * Measures the cost of the gateway compared with a proxy that only pipes bytes, and with no proxy. All run in turn on
 * one fake upstream; the results are medians over the rounds. `--rounds N`, `--json FILE`, `--only WORD` (part of a
 * work's name), `--before FOLDER` (another checkout, whose gateway takes turns with this one).
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type BlockedHost, measureBlockedHost } from './blockedHost.ts';
import { type Cancellation, measureCancellation } from './cancellation.ts';
import { compare, type Row } from './compare.ts';
import { type Program, start } from './processes.ts';
import { Programs, UPSTREAM } from './programs.ts';
import * as report from './report.ts';
import { measureSlowStreams, type SlowStreams } from './slowStreams.ts';
import { measureStarts, type Start } from './starts.ts';
import { WORKS } from './works.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    json: { type: 'string' },
    only: { type: 'string', default: '' },
    before: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const isWanted = (name: string) => name.includes(values.only);

const upstream = await start(UPSTREAM);
const programs = new Programs(upstream);

async function measureWorks(): Promise<Row[]> {
  const works = WORKS.filter(({ name }) => isWanted(name));
  if (works.length === 0) return [];
  const rows: Row[] = [];
  const proxy = await start(programs.bareProxy);
  const gateways = await startGateways();
  const before = values.before === undefined ? undefined : await startGateways(resolve(values.before));
  report.showHead();
  for (const work of works) {
    const gateway = gateways[work.kind];
    // Only rounds that take turns tell what a route or sealing costs: machines and warmth differ too much between two rows.
    const isCompared = work.kind === 'routed' || work.kind === 'sealed';
    const gatewaysInTurn = isCompared ? [gateways.passthrough, gateway] : [gateway];
    const earlier = before === undefined ? [] : [before[work.kind]];
    const measured = await compare([upstream, proxy, ...gatewaysInTurn, ...earlier], work, rounds);
    for (const row of measured) report.showRow(row);
    rows.push(...measured);
  }
  const started = [proxy, ...Object.values(gateways), ...Object.values(before ?? {})];
  await Promise.all(started.map((target) => target.stop()));
  return rows;
}

/** @param root of another checkout. */
async function startGateways(root?: string) {
  const from = (program: Program) =>
    start(root === undefined ? program : { ...program, root, name: `${program.name}, before` });
  return {
    passthrough: await from(programs.gateway),
    translated: await from(programs.translatingGateway),
    routed: await from(programs.routingGateway),
    sealed: await from(programs.sealingGateway),
  };
}

async function measureSlow(): Promise<SlowStreams[]> {
  if (!isWanted('500 slow streams')) return [];
  const measured = await measureSlowStreams([programs.bareProxy, programs.gateway], rounds);
  report.showSlowStreams(measured);
  return measured;
}

async function measureStart(): Promise<Start[]> {
  if (!isWanted('start')) return [];
  const measured = await measureStarts([programs.bareProxy, programs.gateway], rounds);
  report.showStarts(measured);
  return measured;
}

async function measureBlocked(): Promise<BlockedHost | undefined> {
  const [work] = WORKS;
  if (!isWanted('blocked host') || work === undefined) return undefined;
  const measured = await measureBlockedHost(upstream, programs.newLedger(), work, rounds);
  report.showBlockedHost(measured);
  return measured;
}

async function measureLeaving(): Promise<Cancellation[]> {
  if (!isWanted('client leaves')) return [];
  const gateway = await start(programs.gateway);
  const measured = await measureCancellation(upstream, gateway, rounds);
  await gateway.stop();
  report.showCancellation(measured);
  return measured;
}

try {
  const figures = {
    machine: { node: process.version, platform: process.platform, cpu: cpus()[0]?.model, cores: cpus().length },
    rounds,
    starts: await measureStart(),
    works: await measureWorks(),
    slowStreams: await measureSlow(),
    blockedHost: await measureBlocked(),
    cancellation: await measureLeaving(),
  };
  if (values.json !== undefined) await writeFile(values.json, `${JSON.stringify(figures, undefined, 2)}\n`);
} finally {
  await upstream.stop();
  programs.remove();
}
