import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { showProgress } from '../../dev/progress.js';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());
const after = (seconds: number) => jest.advanceTimersByTimeAsync(seconds * 1000);

/** Work that lasts until it is told to end. */
function work() {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  return { run: () => ended, end };
}

/** The screen of a person: it knows "up by n rows" and "clear from here". */
function terminal(columns = 80) {
  let rows: string[] = [];
  const write = (text: string): boolean => {
    const [, up, rest = ''] = /^(?:\u001B\[(\d+)A\u001B\[J)?([^\u001B]*)$/.exec(text) ?? [];
    rows = rows.slice(0, rows.length - Number(up ?? 0));
    rows.push(...rest.split('\n').slice(0, -1));
    return true;
  };
  return { rows: () => rows, progress: showProgress({ write, isTTY: true, columns }) };
}

describe('on a terminal', () => {
  test('each thing under way has one line, which counts its seconds in place', async () => {
    const { rows, progress } = terminal();
    const [temporal, sandbox] = [work(), work()];
    const first = progress.during('Getting Temporal', temporal.run);
    await after(3);
    const second = progress.during('Starting the sandbox', sandbox.run);
    await after(5);
    expect(rows()).toEqual(['Getting Temporal … 8 s', 'Starting the sandbox … 5 s']);

    sandbox.end();
    await second;
    expect(rows()).toEqual(['Getting Temporal … 8 s']);
    await after(24);
    temporal.end();
    await first;
    expect(rows()).toEqual(['Getting Temporal took 32 s']);
  });

  test('a line that stays comes above those that change', async () => {
    const { rows, progress } = terminal();
    const { run, end } = work();
    const running = progress.during('Waiting', run);
    progress.say('sandbox ended (SIGKILL)');
    await after(2);
    expect(rows()).toEqual(['sandbox ended (SIGKILL)', 'Waiting … 2 s']);
    end();
    await running;
    expect(rows()).toEqual(['sandbox ended (SIGKILL)']);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('a line is cut where the terminal would wrap it', () => {
    const { rows, progress } = terminal(20);
    void progress.during('Getting the Temporal CLI', work().run);
    expect(rows()).toEqual(['Getting the Tempora']);
  });
});

describe('without a terminal', () => {
  function log() {
    const lines: string[] = [];
    const write = (text: string): boolean => lines.push(text.trimEnd()) > 0;
    return { lines, progress: showProgress({ write, isTTY: false, columns: 0 }) };
  }

  test('each thing is named when it begins, every 10 s while it lasts, and when it took that long', async () => {
    const { lines, progress } = log();
    const [temporal, sandbox] = [work(), work()];
    const running = [
      progress.during('Getting Temporal', temporal.run),
      progress.during('Starting the sandbox', sandbox.run),
    ];
    await after(4);
    sandbox.end();
    await after(21);
    temporal.end();
    await Promise.all(running);
    expect(lines).toEqual([
      'Getting Temporal …',
      'Starting the sandbox …',
      'Getting Temporal … 10 s',
      'Getting Temporal … 20 s',
      'Getting Temporal took 25 s',
    ]);
  });

  test('what fails is not said to be done, and is named no more', async () => {
    const { lines, progress } = log();
    const failing = progress.during('Getting Temporal', async () => {
      await after(11);
      throw new Error('no network');
    });
    await expect(failing).rejects.toThrow('no network');
    expect(lines).toEqual(['Getting Temporal …', 'Getting Temporal … 10 s']);
    expect(jest.getTimerCount()).toBe(0);
  });
});
