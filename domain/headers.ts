/** What Temporal carries beside a workflow's or an activity's own input, by the names of its headers. */
export const requestIdHeader = 'request-id';
/** How many of our workers were lost in the middle of an activity: any of them may have done the work. */
export const lostWorkersHeader = 'lost-workers';
