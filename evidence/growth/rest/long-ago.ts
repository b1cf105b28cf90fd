/** Before everything there is. */
export const longAgo = new Date('2000-01-01');
