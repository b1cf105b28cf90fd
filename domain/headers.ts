/** What Temporal carries beside a workflow's or an activity's own input, by the names of its headers. */
export const requestIdHeader = 'request-id';

/** Where a run's spans go on from: the `traceparent` of whoever started it, where that is traced. */
export const traceparentHeader = 'traceparent';
