/** Between two looks at the clock, in milliseconds. */
const lookEveryMs = 100;
/** What is later than this was no busy moment. */
const lateMs = 1_000;

let lookedMs = performance.now();
let stoodMs = 0;

setInterval(() => {
  const nowMs = performance.now();
  const late = nowMs - lookedMs - lookEveryMs;
  if (late > lateMs) stoodMs += late;
  lookedMs = nowMs;
}, lookEveryMs).unref();

/** For how many milliseconds this process has stood still since its start: stopped, paused with its machine, or kept from its processor. */
export const stoodStillMs = (): number => stoodMs;
