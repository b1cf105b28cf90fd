import { z } from 'zod';
import { timelineKinds, type TimelineEntry } from '../../domain/timeline.js';
import { OutboundError, parseAnswer } from '../../platform/http/outbound.js';
import { signedCall, type SignedParty } from '../../platform/http/signed-call.js';

const part = z.object({
  entries: z.array(
    z.object({
      at: z.string(),
      service: z.string(),
      kind: z.enum(timelineKinds),
      text: z.string(),
      state: z.string().nullable(),
      link: z.string().nullable(),
    }),
  ),
});

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
