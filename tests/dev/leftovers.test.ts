import { afterAll, describe, expect, test } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { readDevJson } from '../../dev/dev-json.js';
import { takeLock } from '../../dev/lock.js';
import { identify, isAlive, type ProcessIdentity } from '../../dev/process-identity.js';
import { recordChildren, stopLeftovers } from '../../dev/start/leftovers.js';
import { emptyFolder, until } from './helpers.js';

const started: ChildProcess[] = [];
afterAll(() => started.forEach((child) => child.kill('SIGKILL')));

/** A process that idles; with `stubborn` it does not listen to SIGTERM. */
async function idle(stubborn = false): Promise<{ child: ChildProcess; identity: ProcessIdentity }> {
  const script = `${stubborn ? "process.on('SIGTERM', () => undefined);" : ''} console.log('up'); setInterval(() => undefined, 1000)`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  await once(child.stdout, 'data');
  return { child, identity: identify(child.pid!)! };
}

describe('what a killed start left running', () => {
  test('is stopped and named when pid and start time are the recorded ones', async () => {
    const stateDir = await emptyFolder();
    const { identity } = await idle();
    recordChildren(stateDir, [{ name: 'sandbox', stopSignal: 'SIGTERM', ...identity }]);
    const said: string[] = [];
    await stopLeftovers(stateDir, (line) => void said.push(line));
    expect(isAlive(identity)).toBe(false);
    expect(said).toEqual(['Stopping what an earlier start left running: sandbox']);
    expect(readFileSync(join(stateDir, 'children.json'), 'utf8').trim()).toBe('[]');
  });

  test('is killed when it does not listen', async () => {
    const stateDir = await emptyFolder();
    const { child, identity } = await idle(true);
    recordChildren(stateDir, [{ name: 'product', stopSignal: 'SIGTERM', ...identity }]);
    const exit = once(child, 'exit');
    await stopLeftovers(stateDir, () => undefined);
    expect(await exit).toEqual([null, 'SIGKILL']);
  });

  test('is told from a stranger that was given the same pid', async () => {
    const stateDir = await emptyFolder();
    const { identity } = await idle();
    recordChildren(stateDir, [{ name: 'sandbox', stopSignal: 'SIGTERM', pid: identity.pid, startedAt: '1' }]);
    const said: string[] = [];
    await stopLeftovers(stateDir, (line) => void said.push(line));
    expect(isAlive(identity)).toBe(true);
    expect(said).toEqual([]);
  });

  test('is nothing on the first start', async () => {
    await expect(stopLeftovers(await emptyFolder(), () => undefined)).resolves.toBeUndefined();
  });
});

describe('a lock', () => {
  test('is refused while its holder lives, and says who that is', async () => {
    const path = join(await emptyFolder(), 'start.lock');
    const first = takeLock(path);
    expect(first.taken).toBe(true);
    expect(takeLock(path)).toEqual({ taken: false, holder: identify(process.pid) });
    if (first.taken) first.release();
    expect(takeLock(path).taken).toBe(true);
  });

  test('of a process that was killed is taken over, and leaves no other file behind', async () => {
    const folder = await emptyFolder();
    const path = join(folder, 'start.lock');
    const { child, identity } = await idle();
    writeFileSync(path, JSON.stringify(identity));
    expect(takeLock(path)).toEqual({ taken: false, holder: identity });
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(takeLock(path).taken).toBe(true);
    expect(readdirSync(folder)).toEqual(['start.lock']);
  });

  test('is not kept by a stranger that was given the pid of its holder', async () => {
    const path = join(await emptyFolder(), 'start.lock');
    const { identity } = await idle();
    writeFileSync(path, JSON.stringify({ ...identity, startedAt: '1' }));
    expect(takeLock(path).taken).toBe(true);
  });
});

test('a zombie does not count as alive', async () => {
  // The shell starts a child that ends, becomes another program, and so never collects it.
  const script = `sh -c 'echo $$; read line' & exec ${process.execPath} -e 'setInterval(() => undefined, 1000)'`;
  const parent = spawn('sh', ['-c', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(parent);
  const [pid] = (await once(parent.stdout, 'data')) as [Buffer];
  await until('its end', () => identify(Number(pid.toString())) === undefined);
  expect(() => process.kill(Number(pid.toString()), 0)).not.toThrow();
});

test('reading the description of a system that was never started says what to do', async () => {
  const stateDir = await emptyFolder();
  expect(() => readDevJson(stateDir)).toThrow(
    `No development system has been started in ${stateDir}: run npm start first.`,
  );
});

test('a killed process counts as alive until its last thread has ended, and with it its hold of a port', async () => {
  const script = `
    const { Worker } = require('worker_threads');
    const thread = 'globalThis.kept = Array.from({ length: 20 }, () => Buffer.alloc(1 << 20, 1)); setInterval(() => undefined, 1000)';
    const ready = Array.from({ length: 8 }, () => new Promise((resolve) => new Worker(thread, { eval: true }).once('online', resolve)));
    const server = require('net').createServer().listen(0, '127.0.0.1');
    Promise.all(ready).then(() => console.log(server.address().port));`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
  started.push(child);
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  const identity = identify(child.pid!)!;
  child.kill('SIGKILL');
  while (isAlive(identity)); // at once, and before Node notices its exit
  const server = createServer().listen(Number(port.toString()), '127.0.0.1');
  await once(server, 'listening');
  server.close();
});
