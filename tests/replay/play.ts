import { activityInfo } from '@temporalio/activity';
import type { Case } from './cases.js';

/** Plays the activities of the case that is on, and keeps what they were asked for. */
export class Stage {
  private activities: Record<string, (input: unknown) => unknown> = {};
  calls: { name: string; input: unknown }[] = [];

  put({ activities }: Pick<Case, 'activities'>): void {
    this.activities = activities as typeof this.activities;
    this.calls = [];
  }

  /** The function that a worker runs for every activity. */
  readonly play = async (input: unknown): Promise<unknown> => {
    const name = activityInfo().activityType;
    this.calls.push({ name, input });
    const activity = this.activities[name];
    if (!activity) throw new Error(`The case has no activity ${name}`);
    return activity(input);
  };
}
