/** After this many rejections of a retried call, we open a work item (D109). */
export const rejectionsBeforeWorkItem = 3;

/** A caller retries after these statuses as after 5xx: the receiver has not judged the request. */
export const retriedStatuses: readonly number[] = [408, 425, 429];

/** True if the receiver rejected the request (D109). A conflict may resolve itself, so 409 does not count. */
export const isRejection = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !retriedStatuses.includes(status) && status !== 409;
