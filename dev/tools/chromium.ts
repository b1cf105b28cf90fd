import { findOnPath, isExecutable } from './resolve.js';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

export const chromiumAdvice =
  'install Chromium (Debian: `apt-get install chromium`) so that `chromium` is on PATH, or set CHROMIUM_PATH to one.';

/**
 * The browser of the browser tests: `CHROMIUM_PATH`, else the first usual name on PATH. No download: it needs
 * libraries of the system.
 * @returns undefined if there is none
 * @throws Error if CHROMIUM_PATH names no executable
 */
export async function findChromium(): Promise<string | undefined> {
  const given = process.env['CHROMIUM_PATH'];
  if (given !== undefined && given !== '') {
    if (await isExecutable(given)) return given;
    throw new Error(`CHROMIUM_PATH is set to ${given}, which is not an executable file.`);
  }
  for (const name of names) {
    const found = await findOnPath(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
