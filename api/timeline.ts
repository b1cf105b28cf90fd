import { z } from 'zod';
import { timelineEntry } from '../integrations/timeline/client.js';
import { text } from '../platform/http/text.js';

/** The events of a task from all services, by time (D111). */
export const timeline = z
  .object({ taskId: z.string(), entries: z.array(timelineEntry) })
  .meta({ id: 'Timeline' });
export const timelinePart = z.object({ entries: z.array(timelineEntry) }).meta({ id: 'TimelinePart' });

/** More than a task with all its refills and reroutes needs. */
const maxIds = 2_000;
export const idList = (maxCharacters: number) => z.array(text(maxCharacters).min(1)).max(maxIds);
