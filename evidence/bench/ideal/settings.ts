/** Reads the product's environment and the settings of bench/ideal/start.ts. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}

export const sender = { keyId: 'ideal', secret: 'the one that all three services of it share' };
