import { setClock } from '../../cli/clock.js';
import { addDays, type CalendarDay } from '../../domain/calendar.js';
import type { DevJson } from '../dev-json.js';
import { holds } from './judge.js';
import { type Played, showPlayed } from './playing.js';
import { beginCourse, checkDay, type Course } from './year-course.js';
import { yearStories } from './year-stories.js';

/**
 * `rx demo --year`: twelve months of three patients with plans (D128). It sets the development clock (D146) and checks
 * its own plans only. At its end, however that comes, the real date counts again.
 */
export async function showYear(dev: DevJson): Promise<void> {
  const endClock = async () => {
    const { today, isReal } = await setClock(null);
    return `Today is ${today} again, ${isReal ? '' : 'and NOT '}the real date.`;
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void endClock().finally(() => process.exit(1)));
  const begunAt = Date.now();
  try {
    const { today } = await setClock(null);
    const courses = await Promise.all(yearStories.map((story) => beginCourse(dev, story)));
    await live(courses, today);
    await showPlayed(courses.map(end), {
      Fills: 'fills',
      Charged: 'charges',
      Plan: 'plan',
    });
    console.log(`A year in ${Math.round((Date.now() - begunAt) / 1_000)} s.`);
  } finally {
    console.log(await endClock());
  }
}

/** Goes from fill to fill: the day on which gates are asked, the days of the notices, and the day of the fill. */
async function live(courses: readonly Course[], begun: CalendarDay): Promise<void> {
  const endsOn = addDays(begun, 365);
  for (;;) {
    const open = courses.filter((course) => course.isOpen());
    const next = open.map(({ plan }) => plan.nextFillDate).sort()[0];
    if (next === undefined || next > endsOn) return;
    await checkDay(open, addDays(next, -10));
    const isWaited = open.some(({ plan }) => plan.waitingFor.length > 0);
    if (isWaited) await checkDay(open, addDays(next, -3));
    await checkDay(open, next);
    if (isWaited) await checkDay(open, addDays(next, 7));
  }
}

async function end(course: Course): Promise<Played> {
  await course.settle();
  const { story, lines, found } = course;
  return { title: story.title, lines: [`\n${story.title}`, ...lines], found, ok: found.every(holds) };
}
