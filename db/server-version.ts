/** The oldest minor version of each major without a published way for a role to become the server's user (May 2026). */
const safeMinors: Record<number, number> = { 15: 18, 16: 14, 17: 10, 18: 4 };

/**
 * Advice about a Postgres with published holes by which a role of a service takes over the server.
 * @param versionNumber `server_version_num`, as 180004
 * @returns undefined for a version without them
 */
export function versionAdvice(versionNumber: number): string | undefined {
  const [major, minor] = [Math.floor(versionNumber / 10_000), versionNumber % 10_000];
  const safe = safeMinors[major];
  const isOld = major < 15 || (safe !== undefined && minor < safe);
  return isOld
    ? `Postgres ${major}.${minor} has known holes: install the newest minor version, at least ${safe === undefined ? '15.18' : `${major}.${safe}`}.`
    : undefined;
}
