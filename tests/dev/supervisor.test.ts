import { afterEach, describe, expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identify } from '../../dev/process-identity.js';
import { inheritedEnvironment } from '../../dev/start/environment.js';
import { type ChildSpec, createSupervisor, type Supervisor } from '../../dev/start/supervisor.js';
import { emptyFolder, messageOf, until } from './helpers.js';

let supervisor: Supervisor | undefined;
afterEach(() => supervisor?.stop());

interface Watched {
  stateDir: string;
  said: string[];
  restarts: () => number;
  supervisor: Supervisor;
}

async function watch(): Promise<Watched> {
  const stateDir = await emptyFolder();
  const said: string[] = [];
  let restarts = 0;
  supervisor = createSupervisor({
    stateDir,
    report: (line) => void said.push(line),
    onRestart: () => {
      restarts++;
    },
  });
  return { stateDir, said, restarts: () => restarts, supervisor };
}

const idle = 'setInterval(() => undefined, 1000);';
const ready = 'process.send({ ready: true });';

const script = (name: string, code: string): ChildSpec => ({
  name,
  command: process.execPath,
  args: ['-e', code],
  env: inheritedEnvironment(),
  ready: 'message',
  stopSignal: 'SIGTERM',
  stopWithinMs: 1_000,
});

const recorded = (stateDir: string) =>
  JSON.parse(readFileSync(join(stateDir, 'children.json'), 'utf8')) as { name: string; pid: number }[];

describe('a child', () => {
  test('that is killed is started again at once, and the record on disk follows', async () => {
    const { supervisor, stateDir, said, restarts } = await watch();
    await supervisor.start(script('sandbox', `${ready}${idle}`));
    const first = supervisor.pids()['sandbox']!;
    expect(recorded(stateDir)).toMatchObject([{ name: 'sandbox', pid: first, ...identify(first) }]);

    process.kill(first, 'SIGKILL');
    await until('a restart', () => restarts() === 1);
    const second = supervisor.pids()['sandbox']!;
    expect(second).not.toBe(first);
    expect(recorded(stateDir)).toMatchObject([{ name: 'sandbox', pid: second }]);
    expect(said[0]).toMatch(/^sandbox ended \(SIGKILL\); starting it again in 0\.[12] s$/);
  });

  test('that dies at once again and again is started again after growing pauses', async () => {
    const { supervisor, stateDir, said } = await watch();
    const marker = join(stateDir, 'broken');
    const code = `if (require('fs').existsSync('${marker}')) process.exit(3); ${ready}${idle}`;
    await supervisor.start(script('product', code));
    writeFileSync(marker, '');
    process.kill(supervisor.pids()['product']!, 'SIGKILL');
    await until('four deaths', () => said.length >= 4);
    const pauses = said.map((line) => Number(/in ([\d.]+) s/.exec(line)?.[1]));
    expect(pauses.toSorted((a, b) => a - b)).toEqual(pauses);
    expect(new Set(pauses).size).toBe(pauses.length);
    expect(said[3]).toContain('(code 3)');
  });

  test('that ends before it was ready fails the start with the end of its log', async () => {
    const { supervisor, restarts } = await watch();
    const code = "console.error('first'); console.error('EMR_TOKEN: is missing'); process.exit(1)";
    const message = await messageOf(supervisor.start(script('product', code)));
    expect(message).toMatch(/^product ended before it was ready: .*EMR_TOKEN: is missing/);
    expect(message).toContain(join('logs', 'product.log'));
    expect(restarts()).toBe(0);
  });

  test('that cannot be run at all fails the start', async () => {
    const { supervisor } = await watch();
    const message = await messageOf(
      supervisor.start({ ...script('temporal', ''), command: '/nowhere/temporal' }),
    );
    expect(message).toMatch(/^temporal ended before it was ready: .*ENOENT/);
  });

  test('that is asked whether it is ready is waited for', async () => {
    const { supervisor } = await watch();
    let asked = 0;
    await supervisor.start({ ...script('postgres', idle), ready: async () => ++asked === 3 });
    expect(asked).toBe(3);
  });

  test('appends to its log, which is put aside at a start once it is over 20 MB', async () => {
    const first = await watch();
    const log = join(first.stateDir, 'logs', 'sandbox.log');
    writeFileSync(log, Buffer.alloc(21 * 1024 * 1024, 'x'));
    await first.supervisor.start(script('sandbox', `console.log('one');${ready}${idle}`));
    process.kill(first.supervisor.pids()['sandbox']!, 'SIGKILL');
    await until('the second line', () => readFileSync(log, 'utf8') === 'one\none\n');
    expect(readFileSync(`${log}.1`).length).toBe(21 * 1024 * 1024);
  });
});

describe('a stop', () => {
  test('ends the children one after the other, the last started first, and starts none again', async () => {
    const { supervisor, stateDir, restarts } = await watch();
    const order = join(stateDir, 'order');
    const polite = (name: string) =>
      script(
        name,
        `process.on('SIGTERM', () => { require('fs').appendFileSync('${order}', '${name} '); process.exit(0) });${ready}${idle}`,
      );
    for (const name of ['postgres', 'workers', 'api']) await supervisor.start(polite(name));
    await supervisor.stop();
    expect(readFileSync(order, 'utf8')).toBe('api workers postgres ');
    expect(recorded(stateDir)).toEqual([]);
    expect(restarts()).toBe(0);
  });

  test('kills a child that does not end in its time', async () => {
    const { supervisor } = await watch();
    await supervisor.start(script('product', `process.on('SIGTERM', () => undefined);${ready}${idle}`));
    const pid = supervisor.pids()['product']!;
    await supervisor.stop();
    expect(identify(pid)).toBeUndefined();
  });

  test('does not wait for a child that is about to be started again, and lets no other start', async () => {
    const { supervisor, said, restarts } = await watch();
    await supervisor.start(script('sandbox', `${ready}${idle}`));
    process.kill(supervisor.pids()['sandbox']!, 'SIGKILL');
    await until('its end', () => said.length === 1);
    await supervisor.stop();
    expect(await messageOf(supervisor.start(script('api', `${ready}${idle}`)))).toContain(
      'the system is stopping',
    );
    expect(restarts()).toBe(0);
  });
});
