/** A number of `npm test` and `npm run faults`, or that of `npm run evidence -- at-length`, which takes its time. */
export const atLength = (usual: number, full: number): number =>
  process.env['AT_LENGTH'] === undefined ? usual : full;
