import { continueAsNew, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import type { AgeActivities } from '../../activities/retention/retention.js';
import { retentionRules, type RuleName, ruleNames } from '../../domain/retention/ages.js';
import { ordinary } from '../proxies.js';

// Twenty statements of at most 10 s each, usually of 100 ms.
const ages = ordinary<AgeActivities>({
  startToCloseTimeout: '5 minutes',
  heartbeatTimeout: '20 s',
  retry: { initialInterval: '1 s', maximumInterval: '1 minute' },
});

/** Processed rows by rule. */
export type RetentionCounts = Partial<Record<RuleName, number>>;

/**
 * Empties and deletes expired rows, rule by rule and page by page (D94). A run may end anywhere, because the next one
 * processes the rest.
 * @param before the counts of the runs that this one continues
 */
export async function applyRetention(before: RetentionCounts = {}): Promise<RetentionCounts> {
  const counts = { ...before };
  for (const rule of ruleNames) {
    for (let isDone = false; !isDone;) {
      if (workflowInfo().continueAsNewSuggested) return continueAsNew<typeof applyRetention>(counts);
      setCurrentDetails(`${textOf(counts)}\n\n**Now** ${retentionRules[rule].what}.`);
      const page = await ages(`Process ${retentionRules[rule].what}`).applyAge({ rule });
      counts[rule] = (counts[rule] ?? 0) + page.count;
      isDone = page.isDone;
    }
  }
  setCurrentDetails(`${textOf(counts)}\n\n**Done.**`);
  return counts;
}

/** `- **12** details of delivered events, older than 7 days: emptied` */
const textOf = (counts: RetentionCounts): string =>
  ruleNames
    .filter((rule) => counts[rule] !== undefined)
    .map((rule) => {
      const { what, days, then } = retentionRules[rule];
      return `- **${counts[rule]}** ${what}, older than ${days} days: ${then}`;
    })
    .join('\n');
