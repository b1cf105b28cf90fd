/** What Temporal carries beside a workflow's or an activity's own input, by the names of its headers. */
export const requestIdHeader = 'request-id';
/** How many of our workers were lost in the middle of an activity: any of them may have done the work. */
export const lostWorkersHeader = 'lost-workers';
/** That the other party did not answer a first try inside the workflow task. */
export const triedInTaskHeader = 'tried-in-task';

/** Where a run's spans go on from: the `traceparent` of whoever started it, where that is traced. */
export const traceparentHeader = 'traceparent';
