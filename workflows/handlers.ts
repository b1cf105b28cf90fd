import { setHandler } from '@temporalio/workflow';
import { recheckSignal } from './messages.js';

/** Notes `recheck` signals: the run's table has changed. Clear the note before each read of the table. */
export function rechecks() {
  let isDue = false;
  const note = () => void (isDue = true);
  setHandler(recheckSignal, note);
  return { isDue: () => isDue, note, clear: () => void (isDue = false) };
}

/** Runs one piece of work after the other, in the order of the calls. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work, work);
    last = mine.catch(() => undefined);
    return mine;
  };
}
