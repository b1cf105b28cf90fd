/** Prints one line. */
export type Report = (line: string) => void;

/** Reports progress to a person. */
export interface Progress {
  /** A permanent line. */
  say: Report;
  /** Runs `work` and shows its name meanwhile. */
  during: <T>(what: string, work: () => Promise<T>) => Promise<T>;
}

/** Without a terminal, longer work prints its name again at this interval, and once more at its end. */
const longMs = 10_000;
const redrawMs = 1_000;

export const silent: Progress = { say: () => undefined, during: (_what, work) => work() };

/** On a terminal, each running step has a line that counts its seconds. Elsewhere it prints permanent lines. */
export const showProgress = (stream: Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns'>): Progress =>
  stream.isTTY ? onTerminal(stream) : inLog((line) => void stream.write(`${line}\n`));

function inLog(say: Report): Progress {
  const during: Progress['during'] = async (what, work) => {
    const startedMs = Date.now();
    say(`${what} …`);
    const reminder = setInterval(() => say(`${what} … ${secondsSince(startedMs)} s`), longMs);
    try {
      const result = await work();
      if (Date.now() - startedMs >= longMs) say(took(what, startedMs));
      return result;
    } finally {
      clearInterval(reminder);
    }
  };
  return { say, during };
}

function onTerminal(stream: Pick<NodeJS.WriteStream, 'write' | 'columns'>): Progress {
  const underWay = new Set<{ what: string; startedMs: number }>();
  let drawn = 0;
  let clock: NodeJS.Timeout | undefined;

  /** Redraws the running steps below the permanent lines. */
  function draw(staying = ''): void {
    const back = drawn === 0 ? '' : `\u001B[${drawn}A\u001B[J`;
    // A line that wraps would take two rows.
    const lines = [...underWay].map(({ what, startedMs }) =>
      `${what} … ${secondsSince(startedMs)} s`.slice(0, (stream.columns || 80) - 1),
    );
    stream.write(
      back +
        [staying, ...lines]
          .filter(Boolean)
          .map((line) => `${line}\n`)
          .join(''),
    );
    drawn = lines.length;
  }

  const during: Progress['during'] = async (what, work) => {
    const thing = { what, startedMs: Date.now() };
    underWay.add(thing);
    clock ??= setInterval(draw, redrawMs);
    draw();
    let outcome = '';
    try {
      const result = await work();
      if (Date.now() - thing.startedMs >= longMs) outcome = took(what, thing.startedMs);
      return result;
    } finally {
      underWay.delete(thing);
      if (underWay.size === 0) {
        clearInterval(clock);
        clock = undefined;
      }
      draw(outcome);
    }
  };
  return { say: draw, during };
}

const secondsSince = (startedMs: number): number => Math.round((Date.now() - startedMs) / 1000);
const took = (what: string, startedMs: number): string => `${what} took ${secondsSince(startedMs)} s`;
