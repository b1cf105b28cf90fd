import { z } from 'zod';
import { timelineKinds } from '../domain/timeline.js';
import { text } from '../platform/http/text.js';

const entry = z
  .object({
    at: z.iso.datetime(),
    service: z.string().describe('The service of the event, such as `router`'),
    kind: z.enum(timelineKinds).describe('`gap`: the service did not respond'),
    text: z.string(),
    state: z.string().nullable(),
    link: z.url().nullable().describe('Link to the run in the Web UI'),
  })
  .meta({ id: 'TimelineEntry' });

/** The events of a task from all services, by time (D111). */
export const timeline = z.object({ taskId: z.string(), entries: z.array(entry) }).meta({ id: 'Timeline' });
export const timelinePart = z.object({ entries: z.array(entry) }).meta({ id: 'TimelinePart' });

/** More than a task with all its refills and reroutes needs. */
const maxIds = 2_000;
export const idList = (maxCharacters: number) => z.array(text(maxCharacters).min(1)).max(maxIds);
