/** Between two looks at the clock, in milliseconds. */
const lookEveryMs = 100;
/** A look that is later than this counts as a standstill, and an earlier one as a busy moment. */
const lateMs = 1_000;

let stoodMs = 0;

/** Starts to watch whether this process stands still. @returns what ends it */
export function watchStandstills(): () => void {
  let lookedMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const lateByMs = nowMs - lookedMs - lookEveryMs;
    if (lateByMs > lateMs) stoodMs += lateByMs;
    lookedMs = nowMs;
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Milliseconds that this process has stood still while it was watched: stopped, paused with its machine, or without CPU. */
export const stoodStillMs = (): number => stoodMs;
