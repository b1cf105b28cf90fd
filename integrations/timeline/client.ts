import { z } from 'zod';
import { timelineKinds, type TimelineEntry } from '../../domain/timeline.js';
import { OutboundError, parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

export const timelineEntry = z
  .object({
    at: z.iso.datetime(),
    service: z.string().describe('The service of the event, such as `router`'),
    kind: z.enum(timelineKinds).describe('`gap`: the service did not respond'),
    text: z.string(),
    state: z.string().nullable(),
    link: z.url().nullable().describe('Link to the run in the Web UI'),
  })
  .meta({ id: 'TimelineEntry' });
const part = z.object({ entries: z.array(timelineEntry) });

/** An operator waits for the timeline: a slower service counts as down. */
const timeoutMs = 5_000;

/** A service's part of a timeline (D111). @throws OutboundError */
export async function askForPart(
  settings: SignedParty,
  call: { method: 'GET' | 'POST'; path: string; body?: object },
): Promise<TimelineEntry[]> {
  const response = await signedCall(settings, { resource: 'timeline', timeoutMs, ...call });
  return parseAnswer(settings.party, response, part).entries;
}

/** The complete timeline from the orchestrator; undefined for an unknown task. @throws OutboundError */
export async function askForTimeline(
  settings: SignedParty,
  taskId: string,
  client?: string,
): Promise<TimelineEntry[] | undefined> {
  try {
    const path = `/orchestrator/timeline/${encodeURIComponent(taskId)}${client === undefined ? '' : `?client=${client}`}`;
    return await askForPart(settings, { method: 'GET', path });
  } catch (error) {
    if (error instanceof OutboundError && error.fault.kind === 'status' && error.fault.status === 404)
      return undefined;
    throw error;
  }
}
