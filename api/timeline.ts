import { z } from 'zod';
import { timelineKinds } from '../domain/timeline.js';
import { text } from '../platform/http/text.js';

const entry = z
  .object({
    at: z.iso.datetime(),
    service: z.string().describe('Who tells of it, such as `router`'),
    kind: z.enum(timelineKinds).describe('`gap`: this service did not tell its part'),
    text: z.string(),
    state: z.string().nullable(),
    link: z.url().nullable().describe('The run in the Web UI'),
  })
  .meta({ id: 'TimelineEntry' });

/** What happened to a task, by time, as all services tell of it (D111). */
export const timeline = z.object({ taskId: z.string(), entries: z.array(entry) }).meta({ id: 'Timeline' });
/** What one service tells of it. */
export const timelinePart = z.object({ entries: z.array(entry) }).meta({ id: 'TimelinePart' });

/** More than a task with all its refills and reroutes has. */
const maxIds = 2_000;
/** @param maxCharacters of each */
export const idList = (maxCharacters: number) => z.array(text(maxCharacters).min(1)).max(maxIds);
