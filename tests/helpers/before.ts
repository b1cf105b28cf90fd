/**
 * Returns the value that arrives before a timer set at the same moment: a busy machine delays both.
 * @throws Error when the timer was first
 */
export async function before<T>(ms: number, awaited: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It was not there before ${ms} ms`)), ms);
  });
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer));
}
