import {
  continueAsNew,
  ParentClosePolicy,
  setCurrentDetails,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import {
  defineSearchAttributeKey,
  SearchAttributeType,
  WorkflowExecutionAlreadyStartedError,
} from '@temporalio/common';
import type { CloseActivities, CloseSource } from '../../activities/orchestrator/daily-close.js';
import type { CalendarDay, Period } from '../../domain/calendar.js';
import { closeWorkflowId } from '../ids.js';
import { localFirst } from '../proxies.js';

/** In this order: a label is found under the order that is known by then. */
const sources = ['orders', 'charges', 'refunds', 'labels', 'own'] as const satisfies readonly CloseSource[];
/** When the schedule meant a run to begin; a run by hand has none. */
const scheduledStart = defineSearchAttributeKey('TemporalScheduledStartTime', SearchAttributeType.DATETIME);
/** Keeps a history short enough to read. */
const pagesPerRun = 40;

/** A page waits out its party, which a close needs as it needs our own database. */
const pages = localFirst<CloseActivities>({
  startToCloseTimeout: '30 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

interface Place {
  periods: Period[];
  /** Counts the sources of the periods, one after another. */
  turn: number;
  cursor: string | null;
}

/**
 * Closes a day: reads what happened, page by page, then matches it, page by page (D131). Without a date, as the
 * schedule starts it, it starts the close of the day before the one that the schedule meant.
 */
export async function closeDay(
  close: { date?: CalendarDay; at?: Place } = {},
): Promise<{ date: CalendarDay }> {
  const { date } = close;
  if (date === undefined) return startYesterday();
  let read = 0;
  const { periods, turn, cursor } = close.at ?? { periods: await open(date), turn: 0, cursor: null };
  if (!periods) return { date };

  let place: Place = { periods, turn, cursor };
  for (let at = placeOf(place); at; at = placeOf(place)) {
    if (read === pagesPerRun) return continueAsNew<typeof closeDay>({ date, at: place });
    const what = `${at.source} of ${at.days.from} to ${at.days.to}`;
    setCurrentDetails(`**Reads** ${what}`);
    const next = await pages(`Read ${what}`).readPages({ date, ...at });
    place = next === null ? { periods, turn: place.turn + 1, cursor: null } : { ...place, cursor: next };
    read += 1;
  }
  setCurrentDetails('**Matches** what was read');
  while (await pages('Match the next references').matchPage({ date })) {
    read += 1;
    if (read >= pagesPerRun) return continueAsNew<typeof closeDay>({ date, at: place });
  }
  await pages('Close the day').finishClose({ date });
  setCurrentDetails('**Closed**');
  return { date };
}

const open = (date: CalendarDay) => pages('Open the close').openClose({ date });

/** The page to read next; undefined after the last source of the last period. */
function placeOf({ periods, turn, cursor }: Place) {
  const days = periods[turn % periods.length];
  const source = sources[Math.floor(turn / periods.length)];
  return days && source ? { days, source, cursor } : undefined;
}

async function startYesterday() {
  const scheduled = workflowInfo().typedSearchAttributes.get(scheduledStart)?.toISOString() ?? null;
  const date = await pages('Find the day to close').dayToClose({ scheduled });
  try {
    await startChild(closeDay, {
      workflowId: closeWorkflowId(date),
      args: [{ date }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
      staticSummary: `Close ${date}`,
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
  return { date };
}
