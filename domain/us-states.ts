/** The fifty states, in alphabetical order of their names. */
export const usStates = [
  'AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA', 'KS', 'KY', 'LA', 'ME',
  'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ', 'NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR', 'PA',
  'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT', 'VA', 'WA', 'WV', 'WI', 'WY',
] as const; // prettier-ignore

/** The states that can have a pharmacy route; territories have none (D20). */
export const routableStates: readonly string[] = [...usStates, 'DC'];

/** The names of `usStates`, in its order. */
const names = [
  'Alabama', 'Alaska', 'Arizona', 'Arkansas', 'California', 'Colorado', 'Connecticut', 'Delaware', 'Florida',
  'Georgia', 'Hawaii', 'Idaho', 'Illinois', 'Indiana', 'Iowa', 'Kansas', 'Kentucky', 'Louisiana', 'Maine',
  'Maryland', 'Massachusetts', 'Michigan', 'Minnesota', 'Mississippi', 'Missouri', 'Montana', 'Nebraska', 'Nevada',
  'New Hampshire', 'New Jersey', 'New Mexico', 'New York', 'North Carolina', 'North Dakota', 'Ohio', 'Oklahoma',
  'Oregon', 'Pennsylvania', 'Rhode Island', 'South Carolina', 'South Dakota', 'Tennessee', 'Texas', 'Utah',
  'Vermont', 'Virginia', 'Washington', 'West Virginia', 'Wisconsin', 'Wyoming',
]; // prettier-ignore

const lettersOf = (text: string): string => text.toLowerCase().replace(/[\s.,-]/g, '');

const codesByName: ReadonlyMap<string, string> = new Map([
  ...usStates.map((code, index) => [lettersOf(names[index] ?? code), code] as const),
  ['districtofcolumbia', 'DC'],
  ['washingtondc', 'DC'],
  ['puertorico', 'PR'],
  ['guam', 'GU'],
  ['usvirginislands', 'VI'],
  ['virginislands', 'VI'],
  ['americansamoa', 'AS'],
  ['northernmarianaislands', 'MP'],
]);

/** The two-letter code of a state as an EMR writes it: `wa`, `US-WA`, `Washington` (D152). */
export function stateCodeOf(text: string): string | undefined {
  const letters = lettersOf(text);
  const code = /^us[a-z]{2}$/.test(letters) && /^us\W/i.test(text.trim()) ? letters.slice(2) : letters;
  return /^[a-z]{2}$/.test(code) ? code.toUpperCase() : codesByName.get(letters);
}
