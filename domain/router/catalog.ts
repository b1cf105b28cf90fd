const catalog = ['semaglutide', 'tirzepatide', 'nad'] as const;
export type CatalogMedication = (typeof catalog)[number];

/** The medication that a free text names: the first catalog name in it, whatever the case. */
export const catalogMedication = (name: string): CatalogMedication | undefined =>
  catalog.find((medication) => name.toLowerCase().includes(medication));
