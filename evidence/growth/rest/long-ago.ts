/** Before any row. */
export const longAgo = new Date('2000-01-01');
