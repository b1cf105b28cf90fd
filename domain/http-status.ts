/** So many refusals of what is tried on all the same are a person's business (D109). */
export const rejectionsBeforeWorkItem = 3;

/** Statuses below 500 by which a receiver says «later», and nothing of what it was sent. */
const later = new Set([408, 409, 425, 429]);

/** Whether a receiver's answer says that it does not take what it was sent (D109). @param status null without an answer */
export const isRejection = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && !later.has(status);
